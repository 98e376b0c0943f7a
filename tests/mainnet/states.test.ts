import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shardHex } from '../../src/ton/block-id.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { MERKLE_PROOF, PRUNED_BRANCH } from '../../src/ton/cell.ts'
import { openProof } from '../../src/ton/merkle.ts'
import { parseAccount } from '../../src/ton/tlb/account.ts'
import { accountOf } from '../../src/ton/tlb/msg-address.ts'
import { shardOf } from '../../src/ton/tlb/shard-ident.ts'
import { parseShardStateUnsplit, shardAccount, shardAccounts } from '../../src/ton/tlb/shard-state.ts'
import { type Counts, countsText } from '../support/counts.ts'
import { walkShardState } from '../support/walk-state.ts'

const data = process.env['TONLITH_CHAIN_DATA']

interface Indexed {
  file: string
  global_id: number
  workchain: number
  shard: string
  seqno: number
  utime: number
  root_hash: string
  accounts_visible: number
}

const COMPARED = new Set(['global_id', 'workchain', 'shard', 'seqno', 'utime', 'root_hash', 'accounts_visible'])

test('every state parses to its last visible leaf and says what the index says', () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no states of public networks are read')
  const folder = join(data, 'states')
  const index = new Map(
    (JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as Indexed[]).map((entry) => [entry.file, entry]),
  )
  const files = readdirSync(folder).filter((file) => file.endsWith('.boc'))
  expect(files.toSorted()).toEqual([...index.keys()].toSorted())
  const counts: Counts = new Map()
  for (const file of files) {
    const entry = index.get(file)!
    const root = parseBocRoot(readFileSync(join(folder, file)))
    const state = root.type === MERKLE_PROOF ? openProof(root) : root
    walkShardState(state, counts)
    const { global_id, shard_id, seq_no, gen_utime, accounts } = parseShardStateUnsplit(state)
    const listed = [...shardAccounts(accounts, { skipPruned: true })]
    expect({
      global_id,
      workchain: shard_id.workchain_id,
      shard: shardHex(shardOf(shard_id)),
      seqno: seq_no,
      utime: gen_utime,
      root_hash: state.hash(0).toString('hex'),
      accounts_visible: listed.length,
    }).toEqual(Object.fromEntries(Object.entries(entry).filter(([key]) => COMPARED.has(key))) as never)
    for (const [id, listedAccount] of listed) {
      expect(shardAccount(accounts, id)).toEqual(listedAccount)
      if (listedAccount.account.type === PRUNED_BRANCH) continue
      const account = parseAccount(listedAccount.account)
      expect(account._ === 'account' && accountOf(account.addr)?.hash.equals(id)).toBe(true)
    }
  }
  console.log(`states: ${countsText(counts)}`)
})
