import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { blockToBoc } from '../../src/ton/boc-writer.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { MERKLE_PROOF, PRUNED_BRANCH } from '../../src/ton/cell.ts'
import { openProof } from '../../src/ton/merkle.ts'
import { buildAccount, parseAccount } from '../../src/ton/tlb/account.ts'
import { parseShardStateUnsplit, shardAccounts } from '../../src/ton/tlb/shard-state.ts'
import { rewriteBlock } from '../support/rewrite-block.ts'
import { rewriteState } from '../support/rewrite-state.ts'

const data = process.env['TONLITH_CHAIN_DATA']
const NO_DATA = 'TONLITH_CHAIN_DATA is not set: nothing of public networks is written again'

const bags = (folder: string): [file: string, bytes: Buffer][] =>
  readdirSync(join(data!, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.boc'))
    .map((file) => [file, readFileSync(join(data!, folder, file))])

test('every block is written to the cells that it was read from, and to the bytes where a node wrote those', () => {
  if (!data) return console.log(NO_DATA)
  let [blocks, bytes] = [0, 0]
  for (const [file, bag] of bags('blocks')) {
    const root = parseBocRoot(bag)
    const again = rewriteBlock(root)
    expect([file, again.hash()]).toEqual([file, root.hash()])
    blocks++
    if (blockToBoc(again).equals(bag)) bytes++
  }
  console.log(`written again: ${blocks} blocks, ${bytes} of them byte for byte`)
  expect(bytes).toBeGreaterThan(blocks * 0.9)
})

const rewriteAccounts = (state: Cell): number => {
  let accounts = 0
  for (const [, { account }] of shardAccounts(parseShardStateUnsplit(state).accounts, { skipPruned: true })) {
    if (account.type === PRUNED_BRANCH) continue
    expect(buildAccount(parseAccount(account)).hash()).toEqual(account.hash())
    accounts++
  }
  return accounts
}

test('every whole state, and every account that a proof shows, is written to the cells that it was read from', () => {
  if (!data) return console.log(NO_DATA)
  let [states, accounts] = [0, 0]
  for (const [file, bag] of bags('states')) {
    const root = parseBocRoot(bag)
    const state = root.type === MERKLE_PROOF ? openProof(root) : root
    accounts += rewriteAccounts(state)
    if (state.level > 0) continue
    expect([file, rewriteState(state).hash()]).toEqual([file, state.hash()])
    states++
  }
  console.log(`written again: ${states} states, ${accounts} accounts`)
})
