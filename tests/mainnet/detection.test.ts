import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findJettonWallet } from '../../src/contracts/jetton.ts'
import { knownWalletData } from '../../src/contracts/jetton-wallet-layouts.ts'
import { createCodeBook } from '../../src/indexer/code-book.ts'
import { detectAccount } from '../../src/indexer/detect-account.ts'
import { openDetectionContracts } from '../../src/indexer/detection-contracts.ts'
import { noDetectionCounts } from '../../src/indexer/detection-counts.ts'
import { readAccountState } from '../../src/indexer/parse-accounts.ts'
import type { BatchAccount } from '../../src/model/batch.ts'
import { type Address, rawAddress, tryParseAddress } from '../../src/ton/address.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { beginCell } from '../../src/ton/builder.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { dictLookup } from '../../src/ton/dictionary.ts'
import { beginParse } from '../../src/ton/slice.ts'
import { loadShardAccount } from '../../src/ton/tlb/account.ts'
import { storeMsgAddressInt } from '../../src/ton/tlb/msg-address.ts'
import { createLocalTvm } from '../../src/tvm/local.ts'
import { type Counts, count, countsText } from '../support/counts.ts'
import { knowing } from '../support/knowing-parent.ts'
import { madeBatch, madeHash } from '../support/made-batch.ts'
import { temporaryIndex } from '../support/temporary-index.ts'

/** What contracts of the public network are, by their code and data; their parents were not recorded. */

const data = process.env['TONLITH_CHAIN_DATA']
const fromBase64 = (text: string): Cell => parseBocRoot(Buffer.from(text, 'base64'))
const fromHex = (text: string): Cell => parseBocRoot(Buffer.from(text, 'hex'))
const read = <T>(...path: string[]): T => JSON.parse(readFileSync(join(data!, ...path), 'utf8'))

interface FatBlock {
  previous_accounts: { account: string; shard_account_boc_base64: string }[]
  config: { config_root_boc_base64: string; libraries_boc_base64: string[] }
}

interface Recorded {
  account: BatchAccount
  /** Methods that the official TVM ran. */
  methods: string[]
  /** What an independent inspector says. */
  interfaces: string[]
}

const KINDS = [
  ['get_jetton_data', 'jetton_master', 'JettonMaster'],
  ['get_wallet_data', 'jetton_wallet', 'JettonWallet'],
  ['get_collection_data', 'nft_collection', 'NftCollection'],
  ['get_nft_data', 'nft_item', 'NftItem'],
] as const

const madeAccount = (address: Address, code: Cell, cell: Cell): BatchAccount => ({
  address,
  state_hash: madeHash(rawAddress(address)),
  status: 'active',
  balance: 1_000_000_000n,
  extra_currencies: [],
  last_transaction: { lt: 1n, hash: madeHash('last') },
  frozen_hash: null,
  code_hash: code.hash(),
  data_hash: cell.hash(),
  code,
  data: cell,
})

const inspected = (): Recorded[] =>
  read<{
    cases: {
      account: string
      code_hex: string
      data_hex: string
      expected_interfaces: string[]
      get_methods: Record<string, { exit_code: number }>
    }[]
  }>('accounts', 'inspect_cases.json').cases.map((each) => ({
    account: madeAccount(tryParseAddress(each.account)!, fromHex(each.code_hex), fromHex(each.data_hex)),
    methods: Object.keys(each.get_methods),
    interfaces: each.expected_interfaces,
  }))

const ofFatBlock = ({ previous_accounts }: FatBlock): Recorded[] => {
  const { accounts } = read<{ accounts: { account: string; methods?: object }[] }>(
    'accounts',
    'fat_block_getmethods.json',
  )
  const states = new Map(previous_accounts.map((each) => [each.account, each.shard_account_boc_base64]))
  return accounts.flatMap(({ account: text, methods = {} }) => {
    const entry = loadShardAccount(beginParse(fromBase64(states.get(text)!)))
    const last = { lt: entry.last_trans_lt, hash: entry.last_trans_hash }
    const account = readAccountState(tryParseAddress(text)!, entry.account, last)
    return account?.code ? { account, methods: Object.keys(methods), interfaces: [] } : []
  })
}

const setup = async () => {
  const block = read<FatBlock>('bench', 'fat_block_66519406.json')
  const roots = block.config.libraries_boc_base64.map(fromBase64)
  const codes = read<{ boc_base64: string }[]>('accounts', 'contract_codes.json').map((each) =>
    fromBase64(each.boc_base64),
  )
  const libraries = async (hashes: readonly Buffer[]): Promise<Cell[]> =>
    hashes.flatMap((hash) => {
      const listed = roots.map((root) => dictLookup(root, 256, hash)).find((value) => value)
      return listed?.ref() ?? codes.find((code) => code.hash().equals(hash)) ?? []
    })
  const temporary = await temporaryIndex()
  const counts = noDetectionCounts()
  const config = fromBase64(block.config.config_root_boc_base64)
  const book = createCodeBook(libraries)
  const tvm = createLocalTvm()
  const open = (account: BatchAccount) =>
    openDetectionContracts({
      store: temporary.index,
      batch: { ...madeBatch(1_786_000_000, []), accounts: [account] },
      config,
      tvm,
      codes: book,
      source: { config: async () => config, libraries, account: async () => undefined },
      counts,
      failures: new Map(),
    })
  return { block, codes, open, counts, remove: temporary.remove }
}

test('contracts of the public network are what they are known to be', async () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no contract of a public network is detected')
  const { block, open, counts, remove } = await setup()
  const found: Counts = new Map()
  let accounts = 0
  const start = performance.now()
  for (const { account, methods, interfaces } of [...inspected(), ...ofFatBlock(block)]) {
    const contracts = open(account)
    accounts++
    const code = await contracts.codeOf(account)
    const entities = code?.mayBeSomething()
      ? await detectAccount(knowing(account.address, contracts.methods(0)), account, {
          stored: [],
          data: () => contracts.dataOf(account),
          zones: async () => [],
        })
      : []
    const kinds = entities.map(({ _ }) => _)
    const name = rawAddress(account.address)
    for (const [method, kind, label] of KINDS) {
      expect([name, kind, kinds.includes(kind)]).toEqual([name, kind, methods.includes(method)])
      if (interfaces.length > 0) expect([name, kinds.includes(kind)]).toEqual([name, interfaces.includes(label)])
    }
    for (const kind of kinds) count(found, kind)
  }
  const ms = performance.now() - start
  console.log(`detected among ${accounts} contracts: ${countsText(found)}; ${counts.runs} runs, ${Math.round(ms)} ms`)
  expect(found.size).toBeGreaterThan(2)
  await remove()
}, 120_000)

test('wallets of the known codes are read as the TVM reads them', async () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no layout of jetton wallets is tried')
  const { codes, open, remove } = await setup()
  const std = (n: number) =>
    ({ _: 'addr_std', anycast: null, workchain_id: n % 2 === 0 ? 0 : -1, address: Buffer.alloc(32, n) }) as const
  const layouts = (code: Cell, n: number, balance: bigint): Cell[] => {
    const wallet = () => storeMsgAddressInt(storeMsgAddressInt(beginCell().coins(balance), std(n)), std(n + 1))
    const withStatus = beginCell()
      .uint(n & 15, 4)
      .slice(beginParse(wallet().endCell()))
    return [wallet().ref(code).endCell(), wallet().endCell(), withStatus.endCell()]
  }
  let compared = 0
  for (const code of codes) {
    for (const [n, balance] of [0n, 1n, 2n ** 120n - 1n].entries()) {
      for (const cell of layouts(code, n + 1, balance)) {
        const known = knownWalletData(code.hash(), cell)
        if (!known) continue
        const account = madeAccount({ workchain: 0, hash: madeHash('wallet') }, code, cell)
        const methods = knowing(account.address, open(account).methods(0))
        const wallet = await findJettonWallet(methods, account.address)
        expect(wallet).toMatchObject({ ...known })
        compared++
      }
    }
  }
  expect(compared).toBeGreaterThan(10)
  await remove()
}, 120_000)

/** What a contract is by the names of its code. */
const NAMED = [
  [/^(?:Getgems)?Nft(?:Fix(?:p|P)rice)Sale/, 'getgems_sale'],
  [/^NftAuction/, 'getgems_auction'],
  [/^Telegram(?:Username|Gift)Item/, 'telemint'],
  [/^JettonWalletStablecoin/, 'jetton_wallet'],
] as const

test('recorded accounts are what the name of their code says, and no method of them is without end', async () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no sale of a public network is detected')
  const { open, counts, remove } = await setup()
  const names = new Map(
    read<{ code_hash_hex: string; names: string[] }[]>('accounts', 'contract_codes.json').map((each) => [
      each.code_hash_hex,
      each.names,
    ]),
  )
  const found: Counts = new Map()
  const cells = read<{ kind: string; addr?: string; boc_base64: string }[]>('accounts', 'account_cells.json')
  for (const { kind, addr, boc_base64 } of cells) {
    const address = kind === 'Account' && addr ? tryParseAddress(addr) : undefined
    const account = address && readAccountState(address, fromBase64(boc_base64), { lt: 1n, hash: madeHash('last') })
    if (!account?.code || !account.data) continue
    const contracts = open(account)
    const known = { stored: [], data: () => contracts.dataOf(account), zones: async () => [] }
    if (!(await contracts.codeOf(account))?.mayBeSomething()) continue
    const entities = await detectAccount(knowing(account.address, contracts.methods(0)), account, known)
    const kinds: string[] = entities.map(({ _ }) => _)
    for (const each of kinds) count(found, each)
    const own = names.get(account.code_hash!.toString('hex')) ?? []
    for (const [name, of] of NAMED)
      if (own.some((one) => name.test(one)))
        expect([rawAddress(account.address), kinds]).toEqual([
          rawAddress(account.address),
          expect.arrayContaining([of]),
        ])
  }
  console.log(`detected among ${cells.length} accounts: ${countsText(found)}; ${JSON.stringify(counts.faults)}`)
  expect(counts.faults.gas).toBe(0)
  await remove()
}, 120_000)
