import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { detectAccountState } from '../../src/contracts/account-state.ts'
import { type ContractKind, knownCode } from '../../src/contracts/code-hashes.ts'
import { WALLET_TYPES, walletCode } from '../../src/contracts/wallet-info-codes.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { type Cell, LIBRARY } from '../../src/ton/cell.ts'
import { beginParse } from '../../src/ton/slice.ts'
import { loadShardAccount, parseAccount } from '../../src/ton/tlb/account.ts'
import { failureOf } from '../support/failure.ts'

const data = process.env['TONLITH_CHAIN_DATA']

const read = <T>(name: string): T => JSON.parse(readFileSync(join(data!, 'accounts', name), 'utf8'))
const cellOf = (base64: string): Cell => parseBocRoot(Buffer.from(base64, 'base64'))

interface ContractCode {
  code_hash_b64: string
  names: string[]
  library_ref: boolean
  boc_base64: string
}

/** How those who published a contract's code call it. */
const CALLED: { [K in ContractKind]: RegExp } = {
  'wallet.v3.accountState': /v3/i,
  'wallet.v4.accountState': /v4/i,
  'wallet.highload.v1.accountState': /highload.*v1/i,
  'wallet.highload.v2.accountState': /highload.*v2/i,
  'dns.accountState': /dns/i,
  'pchan.accountState': /pay/i,
  'rwallet.accountState': /restricted/i,
}
const WALLET_REVISION = /^(?:wallet_?v[34]r|highload_v[12]r)(\d)/i

test('published contract codes are known for what their publishers call them', () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no published contract code is tried')
  const kinds = new Set<ContractKind>()
  for (const { code_hash_b64, names, library_ref, boc_base64 } of read<ContractCode[]>('contract_codes.json')) {
    const code = cellOf(boc_base64)
    expect(code.hash().toString('base64')).toBe(code_hash_b64)
    expect(code.type === LIBRARY).toBe(library_ref)
    const known = knownCode(code)
    if (!known) continue
    kinds.add(known.kind)
    expect(library_ref).toBe(false)
    expect(names.some((name) => CALLED[known.kind].test(name))).toBe(true)
    const revision = names.map((name) => WALLET_REVISION.exec(name)?.[1]).find((digit) => digit !== undefined)
    if (revision !== undefined && known.revision > 0) expect(known.revision).toBe(Number(revision))
  }
  expect(kinds.size).toBeGreaterThanOrEqual(4)
})

/** `WalletV4R2`, `WalletV5Beta` */
const WALLET_NAME = /^WalletV(\d)(R\d|Beta)$/

test('published wallet codes have the names of getWalletInformation', () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no published wallet code is tried')
  const met = new Set<string>()
  for (const { names, boc_base64 } of read<ContractCode[]>('contract_codes.json')) {
    const [, version, revision] = names.map((name) => WALLET_NAME.exec(name)).find((match) => match) ?? []
    const known = walletCode(cellOf(boc_base64))?.wallet_type
    expect(known).toBe(revision && `wallet v${version} ${revision.toLowerCase()}`)
    if (known) met.add(known)
  }
  expect([...met].sort()).toEqual([...WALLET_TYPES].sort())
})

interface AccountCell {
  kind: 'Account' | 'ShardAccount'
  state: 'active' | 'uninit' | 'frozen'
  boc_base64: string
  network_guess: string
}

const detect = ({ kind, boc_base64 }: AccountCell): { state: string; kind: string } => {
  const root = cellOf(boc_base64)
  const account = parseAccount(kind === 'ShardAccount' ? loadShardAccount(beginParse(root)).account : root)
  if (account._ === 'account_none') return { state: 'none', kind: 'none' }
  const { balance, state } = account.storage
  const detected = detectAccountState({
    balance: balance.grams,
    code: state._ === 'account_active' ? state.code : null,
    data: state._ === 'account_active' ? state.data : null,
    frozenHash: state._ === 'account_frozen' ? state.state_hash : null,
    now: 1_700_000_000,
  })
  return { state: state._.slice('account_'.length), kind: detected.state._ }
}

test('every account cell gets its state', () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no mainnet account cell is tried')
  const kinds: Record<string, number> = {}
  for (const cell of read<AccountCell[]>('account_cells.json')) {
    if (cell.network_guess !== 'ton') {
      expect(['none', 'malformed']).toContain(failureOf(() => detect(cell)))
      continue
    }
    const { state, kind } = detect(cell)
    expect(state).toBe(cell.state)
    if (state !== 'active') expect(kind).toBe('uninited.accountState')
    kinds[kind] = (kinds[kind] ?? 0) + 1
  }
  expect(Object.keys(kinds).length).toBeGreaterThanOrEqual(4)
})
