import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Cell } from '../../src/ton/cell.ts'
import { blockTransactions } from '../../src/ton/tlb/account-blocks.ts'
import { parseBlock, parseMerkleUpdate } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { parseMcBlockExtra } from '../../src/ton/tlb/mc-block-extra.ts'
import { parseMcStateExtra } from '../../src/ton/tlb/mc-state-extra.ts'
import { parseShardStateUnsplit, shardAccounts } from '../../src/ton/tlb/shard-state.ts'
import { outMsgs, parseTransaction } from '../../src/ton/tlb/transaction.ts'
import { anyCell, ordinaryCell } from '../support/cell-arbitrary.ts'
import { PARSERS } from '../support/every-parser.ts'
import { failureOf } from '../support/failure.ts'
import { type Mutation, mutated } from '../support/mutated-cell.ts'
import { recordedBlocks, recordedZerostate } from '../support/recorded-blocks.ts'

const mutation: fc.Arbitrary<Mutation> = fc.record({
  path: fc.array(fc.nat(3), { maxLength: 12 }),
  kind: fc.constantFrom('flip', 'flip', 'cut', 'grow', 'drop', 'swap', 'double', 'prune'),
  at: fc.nat(2047),
})

/** Real cells that parse whole, by the name of their parser, out of every 50th recorded block and the zerostate. */
const samples = (): Map<string, Cell[]> => {
  const found = new Map<string, Cell[]>()
  const add = (name: string, cell: Cell | null): void => {
    if (cell && failureOf(() => PARSERS[name]!(cell)) === 'none') found.set(name, [...(found.get(name) ?? []), cell])
  }
  const addState = (root: Cell): void => {
    const state = parseShardStateUnsplit(root)
    add('ShardState', root)
    if (!state.accounts.exotic) {
      add('ShardAccounts', state.accounts)
      for (const [, { account }] of shardAccounts(state.accounts, { skipPruned: true }))
        if (!account.exotic) add('Account', account)
    }
    if (!state.totals.exotic) add('ShardStateTotals', state.totals)
    if (!state.out_msg_queue_info.exotic) add('OutMsgQueueInfo', state.out_msg_queue_info)
    if (!state.custom || state.custom.exotic) return
    add('McStateExtra', state.custom)
    const { history, config, shard_hashes } = parseMcStateExtra(state.custom)
    if (!history.exotic) add('McStateHistory', history)
    if (!config.config.exotic) add('ConfigDictionary', config.config)
    if (shard_hashes && !shard_hashes.exotic) add('ShardHashes', shard_hashes)
  }
  let n = 0
  for (const root of recordedBlocks()) {
    if (n++ % 50 !== 0) continue
    const block = parseBlock(root)
    add('Block', root)
    add('BlockInfo', block.info)
    add('ValueFlow', block.value_flow)
    add('BlockExtra', block.extra)
    const extra = parseBlockExtra(block.extra)
    add('InMsgDescr', extra.in_msg_descr)
    add('OutMsgDescr', extra.out_msg_descr)
    add('AccountBlocks', extra.account_blocks)
    add('BlockTransactions', extra.account_blocks)
    add('McBlockExtra', extra.custom)
    if (extra.custom) add('McBlockDetails', parseMcBlockExtra(extra.custom).details)
    for (const { cell } of blockTransactions(extra.account_blocks)) {
      const transaction = parseTransaction(cell)
      add('Transaction', cell)
      add('TransactionDescr', transaction.description)
      add('HashUpdate', transaction.state_update)
      for (const message of [transaction.in_msg, ...outMsgs(transaction)]) {
        add('Message', message)
        add('MessageHash', message)
      }
    }
    addState(parseMerkleUpdate(block.state_update).new)
  }
  addState(recordedZerostate())
  return found
}

describe('hostile cells', () => {
  test('of any shape end in an object or in `malformed`, in every parser', () => {
    fc.assert(
      fc.property(fc.oneof(ordinaryCell, anyCell), (cell) => {
        for (const parse of Object.values(PARSERS))
          expect(failureOf(() => parse(cell))).toBeOneOf(['none', 'malformed'])
      }),
      { numRuns: 300 },
    )
  })

  test('made of real ones by a few changes end the same way', () => {
    const real = samples()
    expect(real.size).toBe(24)
    let refused = 0
    fc.assert(
      fc.property(
        fc.constantFrom(...real.keys()),
        fc.nat(),
        fc.array(mutation, { minLength: 1, maxLength: 3 }),
        (name, pick, mutations) => {
          const cells = real.get(name)!
          const cell = mutations.reduce((root, each) => mutated(root, each), cells[pick % cells.length]!)
          const failure = failureOf(() => PARSERS[name]!(cell))
          expect(failure).toBeOneOf(['none', 'malformed'])
          if (failure === 'malformed') refused++
        },
      ),
      { numRuns: 4000 },
    )
    expect(refused).toBeGreaterThan(400)
  })
})
