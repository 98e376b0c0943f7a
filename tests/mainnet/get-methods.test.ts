import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readExtraCurrencies } from '../../src/model/extra-currency.ts'
import { tryParseAddress } from '../../src/ton/address.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { type Cell, LIBRARY } from '../../src/ton/cell.ts'
import { dictLookup } from '../../src/ton/dictionary.ts'
import { methodId } from '../../src/ton/method-id.ts'
import { beginParse } from '../../src/ton/slice.ts'
import { buildStack } from '../../src/ton/stack.ts'
import { loadShardAccount, parseAccount, type ShardAccount } from '../../src/ton/tlb/account.ts'
import { tvmConfig } from '../../src/tvm/config.ts'
import { type GetMethodCall, runGetMethod } from '../../src/tvm/get-method.ts'
import { createShortRuns } from '../../src/tvm/short-runs.ts'
import { startTvm } from '../support/tvm.ts'

/**
 * Get-methods of contracts of the public network, whose results were computed with the official TVM and the whole
 * configuration in one piece: every method of every account, with its exit code, gas and stack. Not compared: the names of
 * known contracts and interfaces, which nothing here gives.
 */

const data = process.env['TONLITH_CHAIN_DATA']
const tvm = createShortRuns(startTvm())
afterAll(() => tvm.stop())

const read = <T>(...path: string[]): T => JSON.parse(readFileSync(join(data!, ...path), 'utf8'))
const fromBase64 = (text: string): Cell => parseBocRoot(Buffer.from(text, 'base64'))
const fromHex = (text: string): Cell => parseBocRoot(Buffer.from(text, 'hex'))

interface Result {
  exit_code: number
  gas_used: string
  stack_boc: string
}
type Results = Record<string, Result>

interface FatBlock {
  previous_accounts: { account: string; shard_account_boc_base64: string }[]
  config: { config_root_boc_base64: string; libraries_boc_base64: string[] }
}

const GAS_LIMIT = 4_000_000

const fatBlock = (): FatBlock => read<FatBlock>('bench', 'fat_block_66519406.json')

const librariesOf = (block: FatBlock): Pick<GetMethodCall, 'libraries'> => {
  const roots = block.config.libraries_boc_base64.map(fromBase64)
  const find = (hash: Buffer): Cell | undefined =>
    roots
      .map((root) => dictLookup(root, 256, hash))
      .find((value) => value)
      ?.ref()
  return { libraries: async (hashes) => hashes.flatMap((hash) => find(hash) ?? []) }
}

const noPrevBlocks: Pick<GetMethodCall, 'prevBlocks'> = {
  prevBlocks: async () => ({
    last_mc_blocks: [],
    prev_key_block: { workchain: -1, shard: 0n, seqno: 0, root_hash: Buffer.alloc(32), file_hash: Buffer.alloc(32) },
    last_mc_blocks_100: [],
  }),
}

type Contract = Omit<GetMethodCall, 'method_id' | 'stack' | 'gas_limit'>

const compare = async (contract: Contract, methods: Results): Promise<number> => {
  for (const [name, want] of Object.entries(methods)) {
    const call = { ...contract, method_id: methodId(name), stack: buildStack([]), gas_limit: GAS_LIMIT }
    for (const where of ['in a Worker', 'in this thread where it was short']) {
      const { exit_code, gas_used, stack } = await runGetMethod(tvm, call)
      expect({ name, where, exit_code, gas_used, stack: stack.hash().toString('hex') }).toEqual({
        name,
        where,
        exit_code: want.exit_code,
        gas_used: Number(want.gas_used),
        stack: fromBase64(want.stack_boc).hash().toString('hex'),
      })
    }
  }
  return Object.keys(methods).length
}

/** What the file says of an account beside its methods. */
interface Listed {
  account: string
  state: string
  balance?: string
  last_trans_lt?: string
  last_trans_hash?: string
  code_hash?: string
  data_hash?: string
  library_code?: boolean
  methods?: Results
}

const hex = (cell: Cell | null): string | undefined => cell?.hash().toString('hex')

/** What our reading of the account's cell gives in the place of that. */
const readListed = ({ account: text }: Listed, entry: ShardAccount): Omit<Listed, 'methods'> => {
  const account = parseAccount(entry.account)
  if (account._ !== 'account') return { account: text, state: 'nonexist' }
  const { state, balance } = account.storage
  const { code, data } = state._ === 'account_active' ? state : { code: null, data: null }
  return {
    account: text,
    state: state._.replace('account_', ''),
    balance: String(balance.grams),
    last_trans_lt: String(entry.last_trans_lt),
    last_trans_hash: entry.last_trans_hash.toString('hex'),
    ...(code && { code_hash: hex(code)!, library_code: code.type === LIBRARY }),
    ...(data && { data_hash: hex(data)! }),
  }
}

test('accounts of a full block of mainnet give the same results', async () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no get-method of a mainnet block is run')
  const block = fatBlock()
  const { now, accounts } = read<{ now: number; accounts: (Listed & { known?: string })[] }>(
    'accounts',
    'fat_block_getmethods.json',
  )
  const states = new Map(block.previous_accounts.map((each) => [each.account, each.shard_account_boc_base64]))
  const config = tvmConfig(fromBase64(block.config.config_root_boc_base64))
  let count = 0
  for (const { methods, known: _, ...listed } of accounts) {
    const entry = loadShardAccount(beginParse(fromBase64(states.get(listed.account)!)))
    expect(readListed(listed, entry)).toEqual(listed)
    const account = parseAccount(entry.account)
    if (account._ !== 'account' || account.storage.state._ !== 'account_active') {
      expect(methods).toBeUndefined()
      continue
    }
    const { balance, state } = account.storage
    const contract = {
      address: tryParseAddress(listed.account)!,
      code: state.code!,
      data: state.data,
      balance: balance.grams,
      extra_currencies: readExtraCurrencies(balance.other),
      now,
      config,
      ...librariesOf(block),
      ...noPrevBlocks,
    }
    count += await compare(contract, methods ?? {})
  }
  expect(count).toBeGreaterThan(100)
}, 120_000)

interface InspectCase {
  account: string
  code_hash: string
  data_hash: string
  code_hex: string
  data_hex: string
  get_methods: Results
}

const NOW = 1_786_000_000
const BALANCE = 1_000_000_000n

test('contracts of every family give the same results', async () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no get-method of a known contract is run')
  const config = tvmConfig(parseBocRoot(readFileSync(join(data, 'config', 'mainnet-config-84773657.boc'))))
  const libraries = librariesOf(fatBlock())
  let count = 0
  for (const each of read<{ cases: InspectCase[] }>('accounts', 'inspect_cases.json').cases) {
    const [code, data] = [fromHex(each.code_hex), fromHex(each.data_hex)]
    expect([hex(code), hex(data)]).toEqual([each.code_hash, each.data_hash])
    const contract = {
      address: tryParseAddress(each.account)!,
      code,
      data,
      balance: BALANCE,
      extra_currencies: [],
      now: NOW,
      config,
      ...libraries,
      ...noPrevBlocks,
    }
    count += await compare(contract, each.get_methods)
  }
  expect(count).toBeGreaterThan(20)
}, 120_000)
