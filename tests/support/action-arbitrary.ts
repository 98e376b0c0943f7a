import { createHash } from 'node:crypto'
import type { ActionType } from '../../src/model/action.ts'
import type { NoteActions, NotedAction } from '../../src/model/noted-action.ts'
import { parseTransaction } from '../../src/ton/tlb/transaction.ts'
import { accountNo } from './made-trace.ts'

/** Types that made actions have. */
export const MADE_TYPES = [
  'call_contract',
  'ton_transfer',
  'jetton_transfer',
  'jetton_swap',
  'nft_purchase',
  'dns_purchase',
  'auction_bid',
] as const satisfies readonly ActionType[]

/** Accounts without transactions that made actions name. */
export const STRANGERS = Array.from({ length: 4 }, (_, i) => accountNo(200 + i))

/**
 * Tells of each trace some actions that follow from its id and `seed` alone: of some of its transactions, some with
 * ancestors, some in the feed of strangers. What it told last of each is in `told`, by the hex of the id.
 */
export const madeActions = (seed: number): { note: NoteActions; told: Map<string, NotedAction[]> } => {
  const told = new Map<string, NotedAction[]>()
  const note: NoteActions = ({ trace_id, transactions }) => {
    const random = (what: string): Buffer => createHash('sha256').update(trace_id).update(`${seed} ${what}`).digest()
    const typeOf = (byte: number): ActionType => MADE_TYPES[byte % MADE_TYPES.length]!
    const accounts = transactions.map(({ workchain, cell }) => ({
      workchain,
      hash: parseTransaction(cell).account_addr,
    }))
    const actions = Array.from({ length: random('count')[0]! % 5 }, (_, i): NotedAction => {
      const bytes = random(`action ${i}`)
      const places = transactions.map((_, place) => place).filter((place) => bytes[place % 20]! % 2 === 0)
      const own = places.filter((place) => bytes[place % 20]! % 4 === 0).map((place) => accounts[place]!)
      const others = STRANGERS.filter((_, n) => bytes[20 + n]! % 3 === 0)
      return {
        action_id: random(`id ${i}`),
        type: typeOf(bytes[24]!),
        ancestor_type: bytes[25]! % 3 === 0 ? [typeOf(bytes[26]!)] : [],
        transactions: places,
        accounts: [...places.map((place) => accounts[place]!), ...own, ...others],
      }
    })
    told.set(trace_id.toString('hex'), actions)
    return actions
  }
  return { note, told }
}
