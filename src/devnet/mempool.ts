import { TonlithError } from '../common/errors.ts'
import { type Address, rawAddress } from '../ton/address.ts'
import { shardContains } from '../ton/block-id.ts'
import type { Cell } from '../ton/cell.ts'
import type { CollatedBlock } from './collate/collation.ts'
import type { ShardId } from './collate/routing.ts'
import type { WalletTurn } from './wallet-layout.ts'

/** An external message that waits for its block. */
export interface PooledMessage {
  /** TL-B Message Any. */
  cell: Cell
  dest: Address
  /** Length of its bag of cells. */
  bytes: number
  /** Undefined where the account is no wallet that a node knows. */
  turn: WalletTurn | undefined
  /** SHA-256 (hex) of what was sent. */
  sent: string
}

export interface MempoolLimits {
  messages: number
  bytes: number
  /** Messages to one account. */
  perAddress: number
  /** Seconds that a message waits at most. */
  seconds: number
}

/** External messages in the order in which they came. */
export interface Mempool {
  /** Takes a message at this unix time; false when it is there already. Throws `limit` when there is no room for it. */
  add(message: PooledMessage, now: number): boolean
  /** True when a message to this wallet with this seqno waits. */
  isWaiting(dest: Address, seqno: number): boolean
  /**
   * The oldest messages to a shard, at most so many; those to one wallet by their seqnos. Where there are more, those that
   * wait on behind a refusal get a quarter of the places, in turn. They stay until `settle` hears what became of them.
   */
  batch(shard: ShardId, most: number): Cell[]
  /**
   * Lets go of what a block took or refused; a refused message for which `stays` holds waits on. Gives those that were
   * refused for good.
   */
  settle(block: Pick<CollatedBlock, 'taken' | 'refused'>, stays?: (message: PooledMessage) => boolean): PooledMessage[]
  /** Drops and gives the messages that have waited for too long or are no longer valid at this unix time. */
  expire(now: number): PooledMessage[]
  readonly messages: number
  readonly bytes: number
}

/** As a node's, where it has such limits. */
export const MEMPOOL_LIMITS: MempoolLimits = { messages: 100_000, bytes: 64 << 20, perAddress: 256, seconds: 600 }

interface Entry {
  message: PooledMessage
  until: number
}

const hashOf = (cell: Cell): string => cell.hash().toString('latin1')

const isTo = ({ workchain, shard }: ShardId, { dest }: PooledMessage): boolean =>
  dest.workchain === workchain && shardContains(shard, dest.hash.readBigInt64BE(0))

const firstTo = (shard: ShardId, entries: ReadonlyMap<string, Entry>, most: number): PooledMessage[] => {
  const found: PooledMessage[] = []
  for (const { message } of entries.values()) {
    if (found.length >= most) break
    if (isTo(shard, message)) found.push(message)
  }
  return found
}

/** Puts the messages to each wallet into the order of their seqnos, in the places that they have together. */
const inTurn = (messages: readonly PooledMessage[]): PooledMessage[] => {
  const ordered = [...messages]
  const places = new Map<string, number[]>()
  messages.forEach(({ dest, turn }, at) => {
    if (!turn) return
    const address = rawAddress(dest)
    const known = places.get(address)
    if (known) known.push(at)
    else places.set(address, [at])
  })
  for (const of of places.values()) {
    const bySeqno = of.map((at) => messages[at]!).sort((a, b) => a.turn!.seqno - b.turn!.seqno)
    of.forEach((at, i) => {
      ordered[at] = bySeqno[i]!
    })
  }
  return ordered
}

export const createMempool = (limits: MempoolLimits = MEMPOOL_LIMITS): Mempool => {
  const entries = new Map<string, Entry>()
  /** Those that were refused and wait on, the longest untried first. */
  const refusedOnce = new Map<string, Entry>()
  const byAddress = new Map<string, Set<PooledMessage>>()
  let bytes = 0

  const entryOf = (key: string): Entry | undefined => entries.get(key) ?? refusedOnce.get(key)
  const count = (): number => entries.size + refusedOnce.size

  const putBack = (key: string, entry: Entry): void => {
    entries.delete(key)
    refusedOnce.delete(key)
    refusedOnce.set(key, entry)
  }
  const drop = (key: string): PooledMessage | undefined => {
    const entry = entryOf(key)
    if (!entry) return undefined
    const { message } = entry
    entries.delete(key)
    refusedOnce.delete(key)
    bytes -= message.bytes
    const address = rawAddress(message.dest)
    const others = byAddress.get(address)
    others?.delete(message)
    if (others?.size === 0) byAddress.delete(address)
    return message
  }
  const checkRoom = (message: PooledMessage, toAddress: number): void => {
    if (count() >= limits.messages || bytes + message.bytes > limits.bytes)
      throw new TonlithError('limit', 'mempool is full')
    if (toAddress >= limits.perAddress)
      throw new TonlithError('limit', `per address limit reached (limit=${limits.perAddress})`)
  }
  return {
    add: (message, now) => {
      const key = hashOf(message.cell)
      if (entryOf(key)) return false
      const address = rawAddress(message.dest)
      const others = byAddress.get(address)
      checkRoom(message, others?.size ?? 0)
      const until = Math.min(now + limits.seconds, message.turn?.valid_until ?? Number.POSITIVE_INFINITY)
      entries.set(key, { message, until })
      bytes += message.bytes
      if (others) others.add(message)
      else byAddress.set(address, new Set([message]))
      return true
    },
    isWaiting: (dest, seqno) =>
      byAddress
        .get(rawAddress(dest))
        ?.values()
        .some(({ turn }) => turn?.seqno === seqno) === true,
    batch: (shard, most) => {
      const again = firstTo(shard, refusedOnce, most)
      const fresh = firstTo(shard, entries, most - Math.min(again.length, most >> 2))
      return inTurn([...fresh, ...again.slice(0, most - fresh.length)]).map(({ cell }) => cell)
    },
    settle: ({ taken, refused }, stays = () => false) => {
      for (const cell of taken) drop(hashOf(cell))
      const forgotten: PooledMessage[] = []
      for (const { message } of refused) {
        const key = hashOf(message)
        const entry = entryOf(key)
        if (!entry) continue
        if (stays(entry.message)) {
          putBack(key, entry)
          continue
        }
        drop(key)
        forgotten.push(entry.message)
      }
      return forgotten
    },
    expire: (now) => {
      const late = [...entries, ...refusedOnce].filter(([, { until }]) => until <= now)
      return late.map(([key]) => drop(key)!)
    },
    get messages() {
      return count()
    },
    get bytes() {
      return bytes
    },
  }
}
