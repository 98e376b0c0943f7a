import { hash } from 'node:crypto'
import { Address, beginCell, internal, type MessageRelaxed } from '@ton/core'
import { keyPairFromSeed } from '@ton/crypto'
import { sendMessage } from '../../src/liteserver/client.ts'
import type { Query } from '../../src/liteserver/query.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { beginParse } from '../../src/ton/slice.ts'
import { blockTransactions } from '../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { parseMessage } from '../../src/ton/tlb/message.ts'
import { parseTransaction } from '../../src/ton/tlb/transaction.ts'
import type { RawBlock } from './chain-check/checked-block.ts'
import { type LiveWallet, walletOfKeys } from './live-wallet.ts'

/** Many wallets that pay many accounts, in both halves of the basechain; every transfer has a number in its body. */
export interface Crowd {
  wallets: readonly LiveWallet[]
  /** What makes the wallets rich, for one wallet v5r1 to send: at most 255. */
  funding(nano: bigint): MessageRelaxed[]
  /** Every wallet hands in one message that pays `each` accounts. Gives how many transfers that makes. */
  hand(query: Query, each: number): Promise<number>
  /** Numbers of the transfers that were handed in. */
  sent(): number
}

/** The first 32 bits of a transfer's body, before its number (uint32). */
const TRANSFER = 0x7e57_0001
const RECEIVERS = 400
/** Nano-units that a transfer carries, and its number on top. */
const VALUE = 1_000_000n

const bytesOf = (text: string): Buffer => hash('sha256', text, 'buffer')
const bodyOf = (number: number) => beginCell().storeUint(TRANSFER, 32).storeUint(number, 32).endCell()

/** The same name makes the same wallets. */
export const createCrowd = (name: string, size: number): Crowd => {
  const wallets = Array.from({ length: size }, (_, i) => walletOfKeys('v5r1', keyPairFromSeed(bytesOf(`${name} ${i}`))))
  const seqnos = wallets.map(() => 0)
  let next = 0
  const transfer = (): MessageRelaxed => {
    const number = next++
    const to = new Address(0, bytesOf(`${name} receiver ${number % RECEIVERS}`))
    return internal({ to, value: VALUE + BigInt(number), bounce: false, body: bodyOf(number) })
  }
  return {
    wallets,
    funding: (nano) => wallets.map(({ address }) => internal({ to: address, value: nano, bounce: false })),
    sent: () => next,
    hand: async (query, each) => {
      const messages = wallets.map((wallet, i) => wallet.signed(seqnos[i]!++, Array.from({ length: each }, transfer)))
      await Promise.all(messages.map((boc) => sendMessage(query, boc)))
      return messages.length * each
    },
  }
}

/** Numbers of the transfers that arrived in blocks. Throws for one that carries another value than it should. */
export const arrivals = (blocks: readonly RawBlock[]): number[] => {
  const numbers: number[] = []
  for (const { data } of blocks)
    for (const { cell } of blockTransactions(parseBlockExtra(parseBlock(parseBocRoot(data)).extra).account_blocks)) {
      const { in_msg } = parseTransaction(cell)
      if (!in_msg) continue
      const { info, body } = parseMessage(in_msg)
      const content = beginParse(body)
      if (info._ !== 'int_msg_info' || content.remainingBits !== 64 || content.uint(32) !== TRANSFER) continue
      const number = content.uint(32)
      if (info.value.grams !== VALUE + BigInt(number)) throw new Error(`transfer ${number} has lost value`)
      numbers.push(number)
    }
  return numbers
}
