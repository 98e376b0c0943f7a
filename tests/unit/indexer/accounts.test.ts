import { expect, test } from 'bun:test'
import { completeBatch, withAccount, withoutCells } from '../../../src/indexer/accounts.ts'
import { newBlocks, shardTops } from '../../../src/indexer/new-blocks.ts'
import { openBlock } from '../../../src/indexer/opened-block.ts'
import { parseBatch } from '../../../src/indexer/parse.ts'
import type { Batch, BatchAccount } from '../../../src/model/batch.ts'
import { changeTrees, type KnownCells, knownCells } from '../../../src/store/account-cells.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { openProof, recordProof } from '../../../src/ton/merkle.ts'
import { beginExotic } from '../../../src/ton/slice.ts'
import { extraCurrencyDict } from '../../../src/ton/tlb/currency.ts'
import { cellTable } from '../../support/cell-table.ts'
import { failureOf } from '../../support/failure.ts'
import { madeBatch, madeHash } from '../../support/made-batch.ts'
import { recordedBatch } from '../../support/recorded-batches.ts'
import { recordedChain } from '../../support/recorded-chain.ts'

const chainOf = (length: number): Cell => {
  let cell = beginCell().uint(length, 32).endCell()
  for (let i = 0; i < length; i++) cell = beginCell().uint(i, 16).ref(cell).endCell()
  return cell
}

/** The tree as a Merkle update shows it when only its first `shown` cells changed. */
const partOf = (tree: Cell, shown: number): Cell => {
  const { root, proof } = recordProof(tree)
  let cell = root
  for (let i = 0; i < shown; i++) {
    beginExotic(cell)
    cell = cell.ref(0)
  }
  return openProof(proof())
}

const address = { workchain: 0, hash: madeHash('account') }

const made = (fields: Partial<BatchAccount>): BatchAccount => ({
  address,
  state_hash: madeHash('state'),
  status: 'active',
  balance: 1n,
  extra_currencies: [],
  last_transaction: { lt: 1n, hash: madeHash('transaction') },
  frozen_hash: null,
  code_hash: null,
  data_hash: null,
  code: null,
  data: null,
  ...fields,
})

/** A cell with the shape of TL-B Block: info, value_flow, state_update, extra. */
const blockWith = ({ update, extra }: { update?: Cell; extra?: Cell }): Cell => {
  const empty = beginCell().endCell()
  return beginCell()
    .ref(empty)
    .ref(empty)
    .ref(update ?? empty)
    .ref(extra ?? empty)
    .endCell()
}

const batchWith = (account: BatchAccount, ...roots: Cell[]): Batch => {
  const real = recordedBatch(recordedChain(), 5)
  const [block] = real.blocks
  return { ...madeBatch(1, []), blocks: roots.map((root) => ({ ...block!, root })), accounts: [account] }
}

const NONE: KnownCells = { holds: () => false, read: () => undefined }

const holding = (...trees: Cell[]): KnownCells => {
  const { table } = cellTable()
  changeTrees(table, { added: trees })
  return knownCells(table)
}

const tree = chainOf(6)
const pruned = made({ data: partOf(tree, 2), data_hash: tree.hash() })

test('what the store has may stay pruned', () => {
  const batch = batchWith(pruned)
  const completed = completeBatch(batch, holding(chainOf(6)))
  expect(completed.missing).toEqual([])
  expect(completed.batch.accounts[0]).toBe(pruned)
})

test('what nobody has is missing, and left as it is', () => {
  const { batch, missing } = completeBatch(batchWith(pruned), NONE)
  expect(missing).toEqual([address])
  expect(batch.accounts).toEqual([pruned])
})

test('what a message or an earlier block shows is filled in', () => {
  const message = beginCell().uint(1, 1).ref(tree).endCell()
  const inMessage = completeBatch(batchWith(pruned, blockWith({ extra: message })), NONE)
  const update = beginCell().ref(beginCell().endCell()).ref(partOf(tree, 4)).endCell()
  const [below, rest] = [partOf(tree, 4), tree.ref(0).ref(0).ref(0).ref(0)]
  expect(below.level).toBe(1)
  const inUpdate = completeBatch(batchWith(pruned, blockWith({}), blockWith({ update })), holding(rest))
  expect(inMessage.missing).toEqual([])
  expect(inMessage.batch.accounts[0]!.data!.hash()).toEqual(tree.hash())
  expect(inUpdate.missing).toEqual([])
  expect(inUpdate.batch.accounts[0]!.data!.hash(0)).toEqual(tree.hash())
  expect(completeBatch(batchWith(pruned, blockWith({ update })), NONE).missing).toEqual([address])
})

test('extra currencies that did not change come from the store', () => {
  const amounts: [number, bigint][] = [
    [100, 7n],
    [200, 8n],
    [4_000_000_000, 9n],
  ]
  const dict = extraCurrencyDict(amounts)!
  for (const shown of [0, 1]) {
    const part = shown === 0 ? partOf(beginCell().ref(dict).endCell(), 1).ref(0) : partOf(dict, 1)
    const account = made({ hidden_extra: part })
    const { batch, missing } = completeBatch(batchWith(account), holding(dict))
    expect(missing).toEqual([])
    expect(batch.accounts[0]).toEqual(made({ extra_currencies: amounts }))
    expect(completeBatch(batchWith(account), NONE).missing).toEqual([address])
  }
})

test('of an account that is needed in part, that part is completed; one that is not needed is left out', () => {
  const none = { code: false, data: false, extra: false }
  expect(completeBatch(batchWith(pruned), NONE, () => none).missing).toEqual([])
  expect(completeBatch(batchWith(pruned), NONE, () => none).batch.accounts).toEqual([pruned])
  expect(completeBatch(batchWith(pruned), NONE, () => ({ ...none, data: true })).missing).toEqual([address])
  const coded = made({ code: pruned.data, code_hash: pruned.data_hash })
  expect(completeBatch(batchWith(coded), NONE, () => ({ ...none, data: true })).missing).toEqual([])
  expect(completeBatch(batchWith(coded), NONE, () => ({ ...none, code: true })).missing).toEqual([address])
  expect(completeBatch(batchWith(pruned), NONE, () => undefined).batch.accounts).toEqual([])
})

test('an account whose cells are gone is known by its hashes', () => {
  const batch = withoutCells(batchWith({ ...pruned, hidden_extra: partOf(tree, 1) }), address)
  expect(batch.accounts).toEqual([made({ data_hash: tree.hash() })])
  expect(completeBatch(batch, NONE).missing).toEqual([])
})

test('a fetched account is taken if it has the state that the batch names', () => {
  const chain = recordedChain()
  const open = (seqno: number) => openBlock(chain.masterchain(seqno)!.id, chain.masterchain(seqno)!.data)
  const masterchain = open(2)
  const { blocks } = newBlocks(shardTops(open(1)), shardTops(masterchain), () => undefined)
  const batch = parseBatch(masterchain, blocks)
  const { missing } = completeBatch(batch, NONE)
  expect(missing.length).toBeGreaterThan(0)
  const cell = beginCell().bit(false).endCell()
  expect(failureOf(() => withAccount(batch, missing[0]!, cell))).toBe('proof')
  expect(withAccount(batch, { workchain: 0, hash: madeHash('other') }, cell).accounts).toEqual(batch.accounts)
})
