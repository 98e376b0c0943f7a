import { TonlithError } from '../../common/errors.ts'
import type { Cell } from '../../ton/cell.ts'
import { accountOf } from '../../ton/tlb/msg-address.ts'
import type { MsgMetadata } from '../../ton/tlb/msg-envelope.ts'
import { outMsgs, parseTransaction, type Transaction } from '../../ton/tlb/transaction.ts'
import { parseTransactionDescr } from '../../ton/tlb/transaction-descr.ts'
import type { Executed, ExecutionContext } from '../../tvm/executor.ts'
import { addTransaction, type WorkingAccount } from './accounts.ts'
import { MSG_METADATA } from './capabilities.ts'
import { type Draft, idKey, reachLt } from './draft.ts'
import { laterLt } from './lt.ts'
import { hasCapability } from './master-config.ts'
import { countTransaction } from './recorded.ts'

/** What executors need to know of the block; `lt` is the least lt of the transaction. */
export const contextOf = ({ input, master }: Draft, lt: bigint): ExecutionContext => ({
  now: input.now,
  lt,
  rand_seed: input.rand_seed,
  config: master.tvm,
  libraries: master.libraries,
  prevBlocks: master.prevBlocks,
})

const gasUsed = ({ description }: Transaction): bigint => {
  const descr = parseTransactionDescr(description)
  return 'compute_ph' in descr && descr.compute_ph._ === 'tr_phase_compute_vm' ? descr.compute_ph.gas_used : 0n
}

/** Where a chain of messages begins. */
export const firstMetadata = ({ shard }: Draft, id: Buffer, lt: bigint): MsgMetadata => ({
  depth: 0,
  initiator_addr: { _: 'addr_std', anycast: null, workchain_id: shard.workchain, address: id },
  initiator_lt: lt,
})

/** Takes a transaction into the block, with the messages that it sent. `metadata` is what these carry. */
export const commitTransaction = (
  draft: Draft,
  account: WorkingAccount,
  executed: Extract<Executed, { done: true }>,
  metadataAt: (lt: bigint) => MsgMetadata | null,
  countsGas = true,
): Cell => {
  const { transaction: cell, account: after } = executed
  const transaction = parseTransaction(cell)
  const made = addTransaction(account, cell, transaction, after)
  draft.transactions++
  countTransaction(draft, account, cell)
  draft.load.addLt(made.end_lt)
  if (countsGas) draft.load.addGas(gasUsed(transaction))
  reachLt(draft, made.end_lt)
  const metadata = hasCapability(draft.master, MSG_METADATA) ? metadataAt(made.lt) : null
  let index = 0
  for (const message of outMsgs(transaction)) {
    const lt = made.lt + 1n + BigInt(index)
    draft.fresh.push({ lt, message, metadata, from: { _: 'transaction', transaction: cell, index } })
    index++
  }
  draft.load.addWaiting(index)
  return cell
}

const destinationId = (draft: Draft, dest: Parameters<typeof accountOf>[0]): Buffer => {
  const address = accountOf(dest)
  if (address?.workchain !== draft.shard.workchain) throw new TonlithError('internal', 'a message to another workchain')
  return address.hash
}

/** The least lt of the next transaction of an account. */
/** The least lt that the next transaction of an account may have, when it has to come behind `after_lt`. */
export const leastLt = (draft: Draft, account: WorkingAccount, after_lt: bigint): bigint => {
  const after = laterLt(draft.released_lt.get(idKey(account.id)) ?? 0n, laterLt(after_lt, draft.start_lt))
  return laterLt(after + 1n, account.end_lt)
}

/** Runs an internal message on the account that it is for. Gives the transaction. Throws as the executor. */
export const runInternal = (
  draft: Draft,
  {
    message,
    dest,
    metadata,
    after_lt,
  }: {
    message: Cell
    dest: Parameters<typeof accountOf>[0]
    metadata: MsgMetadata | null
    after_lt: bigint
  },
): Cell => {
  const account = draft.accounts.get(destinationId(draft, dest))
  const context = contextOf(draft, leastLt(draft, account, after_lt))
  const executed = draft.input.executor.ordinary(account.cell, message, context)
  if (!executed.done) throw new TonlithError('internal', 'an internal message was not accepted')
  return commitTransaction(draft, account, executed, () => metadata && { ...metadata, depth: metadata.depth + 1 })
}

/** Runs an external message; when it makes no transaction the answer of the executor says why. */
export const runExternal = (
  draft: Draft,
  message: Cell,
  dest: Parameters<typeof accountOf>[0],
): Executed & { transaction?: Cell } => {
  const account = draft.accounts.get(destinationId(draft, dest))
  const context = contextOf(draft, leastLt(draft, account, draft.last_processed?.lt ?? 0n))
  const executed = draft.input.executor.ordinary(account.cell, message, context)
  if (executed.done) commitTransaction(draft, account, executed, (lt) => firstMetadata(draft, account.id, lt))
  return executed
}
