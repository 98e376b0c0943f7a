import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isTonlithError } from '../../src/common/errors.ts'
import { readAccountsFile } from '../../src/devnet/genesis/accounts-file.ts'
import { rawAddress, tryParseAddress } from '../../src/ton/address.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { beginParse } from '../../src/ton/slice.ts'
import { type Account, buildAccountStorage, loadShardAccount, parseAccount } from '../../src/ton/tlb/account.ts'
import { type Counts, count, countsText } from '../support/counts.ts'

const data = process.env['TONLITH_CHAIN_DATA']

interface Recorded {
  kind: 'Account' | 'ShardAccount'
  addr: string
  boc_base64: string
  network_guess: string
}

const existing = (cell: Cell): Extract<Account, { _: 'account' }> | undefined => {
  const account = parseAccount(cell)
  return account._ === 'account' ? account : undefined
}

const messageOf = (bytes: Buffer, now: number): string => {
  try {
    readAccountsFile(bytes, now)
    return ''
  } catch (error) {
    if (isTonlithError(error, 'invalid')) return error.message
    throw error
  }
}

test('every account cell of TON can be loaded, as it is but for its history', () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no account cells of public networks are loaded')
  const recorded = JSON.parse(readFileSync(join(data, 'accounts/account_cells.json'), 'utf8')) as Recorded[]
  const now = 1_800_000_000
  const counts: Counts = new Map()
  for (const { kind, addr, boc_base64, network_guess } of recorded) {
    const file = Buffer.from(boc_base64, 'base64')
    if (network_guess !== 'ton') {
      count(counts, messageOf(file, now) === '' ? 'sister chain, loaded' : 'sister chain, refused')
      continue
    }
    const root = parseBocRoot(file)
    const before = existing(kind === 'Account' ? root : loadShardAccount(beginParse(root)).account)
    if (!before) {
      expect(messageOf(file, now)).toContain('does not exist')
      count(counts, 'no account')
      continue
    }
    if (before.addr._ !== 'addr_std' || before.addr.anycast) {
      expect(messageOf(file, now)).toContain('no standard address')
      count(counts, 'TON, anycast')
      continue
    }
    const { address, account } = readAccountsFile(file, now)[0]!
    expect(rawAddress(address)).toBe(rawAddress(tryParseAddress(addr)!))
    const after = existing(account.ref(0))!
    const plain = { ...before.storage, last_trans_lt: 0n }
    expect(buildAccountStorage(after.storage).hash()).toEqual(buildAccountStorage(plain).hash())
    const same = after.storage_stat.used.cells === before.storage_stat.used.cells
    count(counts, same ? 'TON, storage as the node counted it' : 'TON, storage counted otherwise')
  }
  console.log(countsText(counts))
  expect(counts.get('TON, storage as the node counted it') ?? 0).toBeGreaterThan(100)
})
