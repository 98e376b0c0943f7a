import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { friendlyAddress } from '../../src/ton/address.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { beginParse } from '../../src/ton/slice.ts'
import { loadShardAccount, parseAccount } from '../../src/ton/tlb/account.ts'
import { accountOf } from '../../src/ton/tlb/msg-address.ts'
import { type Counts, count, countsText } from '../support/counts.ts'
import { failureOf } from '../support/failure.ts'
import { walkAccount } from '../support/walk-state.ts'

const data = process.env['TONLITH_CHAIN_DATA']

interface Recorded {
  kind: 'Account' | 'ShardAccount'
  addr: string
  state: 'active' | 'uninit' | 'frozen'
  boc_base64: string
  network_guess: string
}

const accountIn = (root: Cell, kind: Recorded['kind']): Cell =>
  kind === 'Account' ? root : loadShardAccount(beginParse(root)).account

const described = (cell: Cell): { addr: string; state: string } => {
  const account = parseAccount(cell)
  if (account._ === 'account_none') return { addr: '', state: 'none' }
  const address = accountOf(account.addr)
  return { addr: address ? friendlyAddress(address) : '', state: account.storage.state._.slice('account_'.length) }
}

test('every account cell of TON parses, and no other one ends in anything but an account or a refusal', () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no account cells of public networks are read')
  const recorded = JSON.parse(readFileSync(join(data, 'accounts/account_cells.json'), 'utf8')) as Recorded[]
  const counts: Counts = new Map()
  for (const { kind, addr, state, boc_base64, network_guess } of recorded) {
    const root = parseBocRoot(Buffer.from(boc_base64, 'base64'))
    const account = accountIn(root, kind)
    if (network_guess === 'ton') {
      walkAccount(account, counts)
      expect(described(account)).toEqual({ addr, state })
      count(counts, `${kind} of TON`)
    } else {
      const failure = failureOf(() => parseAccount(account))
      expect(failure).toBeOneOf(['none', 'malformed'])
      count(counts, `of a sister chain, ${failure === 'none' ? 'parsed' : 'refused'}`)
    }
  }
  console.log(`account cells: ${countsText(counts)}`)
})
