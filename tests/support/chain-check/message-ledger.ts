import type { Cell } from '../../../src/ton/cell.ts'
import { addCurrencies, type CurrencyCollection, NO_CURRENCY } from '../../../src/ton/tlb/currency.ts'
import { type BlockMessages, carriedValue } from './checked-messages.ts'
import type { Need } from './fault.ts'

/** Which internal messages are under way in a chain. */
export interface MessageLedger {
  readonly sent: number
  readonly delivered: number
  readonly pending: number
  /** What a block sent and took; each message is sent once, and taken once after that. */
  block(messages: BlockMessages, need: Need): void
  /**
   * Compares with the queues of all shards (envelopes by message): what is under way stands in one of them, what stands there
   * was sent. Gives the value that is under way.
   */
  queues(queued: ReadonlyMap<string, Cell>, need: Need): CurrencyCollection
}

export const createMessageLedger = (): MessageLedger => {
  const pending = new Set<string>()
  const delivered = new Set<string>()
  return {
    get sent() {
      return pending.size + delivered.size
    },
    get delivered() {
      return delivered.size
    },
    get pending() {
      return pending.size
    },
    block: ({ sent, taken }, need) => {
      for (const key of sent) {
        need(!pending.has(key) && !delivered.has(key), `message ${key} is sent a second time`)
        pending.add(key)
      }
      for (const key of taken) {
        need(!delivered.has(key), `message ${key} is delivered a second time`)
        need(pending.delete(key), `message ${key} is delivered and was not sent`)
        delivered.add(key)
      }
    },
    queues: (queued, need) => {
      let value = NO_CURRENCY
      for (const key of pending) {
        const envelope = queued.get(key)
        need(envelope !== undefined, `message ${key} is under way and in no queue`)
        value = addCurrencies(value, carriedValue(envelope!))
      }
      for (const key of queued.keys())
        need(pending.has(key) || delivered.has(key), `message ${key} is in a queue and was not sent`)
      return value
    },
  }
}
