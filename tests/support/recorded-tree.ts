import { messageCells, opcodeOf } from '../../src/model/batch-message.ts'
import type { EmulatedTrace } from '../../src/model/emulated-trace.ts'
import { MASTERCHAIN } from '../../src/ton/block-id.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { accountBlocks, transactionsOf } from '../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { parseMessage } from '../../src/ton/tlb/message.ts'
import { parseTransaction } from '../../src/ton/tlb/transaction.ts'
import { parseTransactionDescr } from '../../src/ton/tlb/transaction-descr.ts'
import { recordedChain } from './recorded-chain.ts'

/** What a transaction did, without all that depends on its time and lt. */
export interface Deed {
  account: string
  aborted: boolean
  /** Exit code of the VM, or why it did not run. */
  exit: number | string | undefined
  result_code: number | undefined
  /** What it sent: hash of the body, its opcode and size, and value of what stays on the chain. */
  sent: { body: string; head: string; value: bigint | undefined }[]
  /** What follows, in the order of what it sent. */
  next: Deed[]
}

const sentOf = (message: Cell): Deed['sent'][number] => {
  const { info, body } = parseMessage(message)
  return {
    body: body.hash().toString('hex'),
    head: `${opcodeOf(body)} ${body.bits} ${body.refCount}`,
    value: info._ === 'int_msg_info' ? info.value.grams : undefined,
  }
}

const deedOf = (cell: Cell, taker: (message: Cell) => Cell | undefined): Deed => {
  const { account_addr, description } = parseTransaction(cell)
  const descr = parseTransactionDescr(description)
  const { out_msgs } = messageCells(cell)
  const compute = 'compute_ph' in descr ? descr.compute_ph : undefined
  return {
    account: account_addr.toString('hex'),
    aborted: 'aborted' in descr && descr.aborted,
    exit: compute?._ === 'tr_phase_compute_vm' ? compute.exit_code : compute?.reason,
    result_code: 'action' in descr ? descr.action?.result_code : undefined,
    sent: out_msgs.map(sentOf),
    next: out_msgs.flatMap((message) => taker(message) ?? []).map((child) => deedOf(child, taker)),
  }
}

const nameOf = (message: Cell): string => message.hash().toString('latin1')

const takersOf = (transactions: Iterable<Cell>): ((message: Cell) => Cell | undefined) => {
  const takers = new Map<string, Cell>()
  for (const cell of transactions) {
    const { in_msg } = parseTransaction(cell)
    if (in_msg) takers.set(nameOf(in_msg), cell)
  }
  return (message) => takers.get(nameOf(message))
}

/** All transactions of the recorded network, with the masterchain block that commits each. */
function* recordedTransactions(): Generator<{ cell: Cell; mc_seqno: number }> {
  const chain = recordedChain()
  for (const workchain of [0, MASTERCHAIN])
    for (const blocks of chain.shards(workchain).values())
      for (const { root, mc_seqno } of blocks)
        for (const each of accountBlocks(parseBlockExtra(parseBlock(root).extra).account_blocks))
          for (const { cell } of transactionsOf(each)) yield { cell, mc_seqno }
}

const NO_HASH = Buffer.alloc(32).toString('latin1')

/** Reads the traces of the recorded network. */
export const recordedTraces = () => {
  const all = [...recordedTransactions()]
  const taker = takersOf(all.map(({ cell }) => cell))
  const seqnos = new Map(all.map(({ cell, mc_seqno }) => [nameOf(cell), mc_seqno]))
  const within = (cell: Cell): Cell[] => [
    cell,
    ...messageCells(cell).out_msgs.flatMap((message) => {
      const child = taker(message)
      return child ? within(child) : []
    }),
  ]
  return {
    /** What the network did because of a transaction. */
    deed: (transaction: Cell): Deed => deedOf(transaction, taker),
    /** True when all accounts came into the trace as this masterchain block left them. */
    isUndisturbed: (transaction: Cell, seqno: number): boolean => {
      const cells = within(transaction)
      const own = new Set(cells.map(nameOf))
      return cells.every((cell) => {
        const before = parseTransaction(cell).prev_trans_hash.toString('latin1')
        return before === NO_HASH || own.has(before) || (seqnos.get(before) ?? 0) <= seqno
      })
    },
  }
}

/** What an emulated trace does. */
export const emulatedDeed = ({ transactions }: EmulatedTrace): Deed =>
  deedOf(transactions[0]!.cell, takersOf(transactions.map(({ cell }) => cell)))
