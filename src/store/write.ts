import { TonlithError } from '../common/errors.ts'
import type { Batch, BatchAccount } from '../model/batch.ts'
import type { DetectedAccount } from '../model/entities.ts'
import type { NoteActions } from '../model/noted-action.ts'
import { type TraceJoin, transactionKey } from '../model/trace-changes.ts'
import { type BlockIdExt, blockIdText, sameBlock } from '../ton/block-id.ts'
import { parseBocRoot } from '../ton/boc.ts'
import { parseBlockInfo, prevBlockIds } from '../ton/tlb/block-info.ts'
import { type MessagePlace, sentAt, takenAt } from './find.ts'
import type { IndexStore } from './index-store.ts'
import { txKey, u32Key } from './keys.ts'
import { masterchainId, masterchainRow } from './masterchain-rows.ts'
import { addSeqno, rangeAt } from './ranges.ts'
import { firstKey } from './scan.ts'
import type { Tables } from './tables.ts'
import { neededCells, writeAccounts } from './write-accounts.ts'
import { transactionsIn, writeActions } from './write-actions.ts'
import { writeBlocks, writeHoldingBlocks } from './write-blocks.ts'
import { writeEntities } from './write-entities.ts'
import { traceLookups, writeTraces } from './write-traces.ts'
import { type MessageSides, writeTransactions } from './write-transactions.ts'
import { writeTransfers } from './write-transfers.ts'

const breach = (id: BlockIdExt, what: string): TonlithError =>
  new TonlithError('conflict', `masterchain block ${blockIdText(id)} ${what}: the index holds another chain`)

const masterchainBlock = ({ blocks, mc }: Batch) => {
  const block = blocks.find(({ id }) => sameBlock(id, mc))
  if (!block) throw new TonlithError('internal', `the batch of ${blockIdText(mc)} lacks that block`)
  return block
}

/** Both stored neighbours of a masterchain block must agree with it on who follows whom. */
const checkNeighbours = (tables: Tables, batch: Batch): void => {
  const { mc } = batch
  const below = masterchainRow(tables, mc.seqno - 1)
  const [prev] = masterchainBlock(batch).prev
  if (below && (!prev || !sameBlock(prev, masterchainId(mc.seqno - 1, below))))
    throw breach(mc, 'does not follow the stored one')
  const above = masterchainRow(tables, mc.seqno + 1)
  if (!above) return
  const [named] = prevBlockIds(parseBlockInfo(parseBocRoot(above.info)))
  if (!named || !sameBlock(named, mc)) throw breach(mc, 'is not the one that the next one follows')
}

/** True when the batch's masterchain block is stored already, with all that was wanted of it or a part. */
const isStored = (tables: Tables, { mc }: Batch): boolean => {
  const row = masterchainRow(tables, mc.seqno)
  if (row && !sameBlock(masterchainId(mc.seqno, row), mc)) throw breach(mc, 'is not the stored one')
  return row !== undefined
}

/** What is not stored of a batch whose masterchain block is. */
const withoutStored = ({ tables, addresses }: IndexStore, batch: Batch): Batch => ({
  ...batch,
  transactions: batch.transactions.filter(
    ({ index }) => !tables.transactions.doesExist(txKey(transactionKey(batch.mc.seqno, index))),
  ),
  accounts: batch.accounts.filter((account) => neededCells(tables, addresses, account)),
})

/** True when no transaction is stored that the masterchain block `seqno` or a later one commits. */
const isAbove = (tables: Tables, seqno: number): boolean =>
  firstKey(tables.transactions, { from: u32Key(seqno) }, 'asc') === undefined

/**
 * Sides of messages that were stored before a batch, each hash looked up once. No message is taken before it was sent:
 * above all that is stored nobody took any.
 */
const storedSides = (tables: Tables, seqno: number): MessageSides => {
  const remembered = (find: (tables: Tables, hash: Buffer) => MessagePlace | undefined) => {
    const found = new Map<string, MessagePlace | undefined>()
    return (hash: Buffer): MessagePlace | undefined => {
      const name = hash.toString('latin1')
      if (!found.has(name)) found.set(name, find(tables, hash))
      return found.get(name)
    }
  }
  return { sentAt: remembered(sentAt), takenAt: isAbove(tables, seqno) ? () => undefined : remembered(takenAt) }
}

/** Accounts, whole, as a masterchain block leaves them. */
export interface AccountStates {
  mc_seqno: number
  accounts: readonly BatchAccount[]
}

/**
 * Writes accounts where they are newer than what is stored, and what they are. Throws `unavailable` as writeBatch does.
 */
export const writeAccountStates = (
  store: IndexStore,
  states: readonly AccountStates[],
  detected: readonly DetectedAccount[] = [],
): void => {
  const { environment, tables, addresses } = store
  try {
    environment.transaction(() => {
      for (const { mc_seqno, accounts } of states) writeAccounts(tables, addresses, mc_seqno, accounts)
      writeEntities(store, detected)
    })
  } catch (error) {
    addresses.forget()
    throw error
  }
}

/**
 * What a batch is written for. `range`: the index goes over this masterchain block, so that it counts as indexed, with all
 * its blocks. `history`: transactions of chosen accounts are in it. Then it does not count as indexed, and only those of
 * its blocks are written that hold some of them, and the masterchain block.
 */
export type BatchPurpose = 'range' | 'history'

/**
 * Writes a masterchain block with what is kept of it, as one transaction: blocks, transactions, messages, account states,
 * what accounts are, transfers, traces (as `join` says), what traces did (as `note` says; nothing of it without) and, for
 * a `range`, the note that the seqno is indexed. What is stored already stays as it is, and what is new is added to it: the order in which parts of the chain arrive makes no difference.
 * @param written is called with what was new, behind all this and in the same transaction
 * @returns how many transactions were new; undefined when nothing was
 * @throws TonlithError `conflict` when a stored neighbour belongs to another chain; `unavailable` when the disk is full
 * or gives no right to write. Nothing is written then
 */
export const writeBatch = (
  store: IndexStore,
  whole: Batch,
  join: TraceJoin,
  purpose: BatchPurpose = 'range',
  note?: NoteActions,
  written?: (batch: Batch) => void,
): number | undefined => {
  const { environment, tables, addresses } = store
  try {
    return environment.transaction(() => {
      const { mc } = whole
      const batch = isStored(tables, whole) ? withoutStored(store, whole) : whole
      const begins = purpose === 'range' && !rangeAt(tables, mc.seqno)
      if (!begins && batch.transactions.length === 0 && batch.accounts.length === 0) return undefined
      checkNeighbours(tables, batch)
      const sides = storedSides(tables, mc.seqno)
      const changes = join(batch, {
        ...traceLookups(tables),
        senderOf: (hash) => sides.sentAt(hash)?.transaction,
        receiverOf: (hash) => sides.takenAt(hash)?.transaction,
      })
      if (begins) writeBlocks(tables, batch)
      else writeHoldingBlocks(tables, batch)
      writeTransactions(tables, addresses, sides, batch)
      writeAccounts(tables, addresses, mc.seqno, batch.accounts)
      const read = transactionsIn(batch)
      writeTraces(tables, changes, (key) => {
        const account = read.get(key)?.account
        return account && addresses.intern(account)
      })
      writeEntities(store, whole.detected ?? [])
      writeTransfers(store, whole)
      if (note) writeActions(store, changes, read, note)
      if (begins) addSeqno(tables, mc.seqno)
      written?.(batch)
      return batch.transactions.length
    })
  } catch (error) {
    addresses.forget()
    throw error
  }
}
