import type { ChainBlock } from '../../src/devnet/chain.ts'
import { readTransaction, type Transaction } from '../../src/model/transaction.ts'
import { type Address, rawAddress } from '../../src/ton/address.ts'
import { MASTERCHAIN } from '../../src/ton/block-id.ts'
import { blockTransactions } from '../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { recordedChain } from './recorded-chain.ts'

/** A transaction and the block that it stands in. */
export interface Placed {
  transaction: Transaction
  block: ChainBlock
  /** Which one of its block it is, from 0 on. */
  index: number
}

/** A message between accounts, with the transactions at its ends as the recorded blocks have them. */
export interface RecordedMessage {
  source: Address
  destination: Address
  created_lt: bigint
  /** Undefined for a message that the masterchain itself made. */
  sender: Placed | undefined
  /** Undefined for a message that was not delivered before the recording ended. */
  receiver: Placed | undefined
}

const transactionsOf = (block: ChainBlock): Placed[] =>
  Array.from(blockTransactions(parseBlockExtra(parseBlock(block.root).extra).account_blocks), ({ cell }, index) => ({
    transaction: readTransaction(block.id.workchain, cell),
    block,
    index,
  }))

/** Every message between accounts in the recording, by source and destination. */
export const recordedMessages = (): RecordedMessage[] => {
  const messages = new Map<string, RecordedMessage>()
  const note = (
    { source, destination, created_lt }: Transaction['out_msgs'][number],
    end: Partial<RecordedMessage>,
  ): void => {
    if (!source || !destination) return
    const key = `${rawAddress(source)} ${rawAddress(destination)} ${created_lt}`
    const message = { source, destination, created_lt, sender: undefined, receiver: undefined }
    messages.set(key, { ...(messages.get(key) ?? message), ...end })
  }
  for (const workchain of [MASTERCHAIN, 0])
    for (const blocks of recordedChain().shards(workchain).values())
      for (const placed of blocks.flatMap(transactionsOf)) {
        for (const message of placed.transaction.out_msgs) note(message, { sender: placed })
        if (placed.transaction.in_msg) note(placed.transaction.in_msg, { receiver: placed })
      }
  return [...messages.keys()].sort().map((key) => messages.get(key)!)
}
