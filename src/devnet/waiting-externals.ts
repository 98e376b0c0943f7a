import { TonlithError } from '../common/errors.ts'
import { accountPrefix } from '../ton/address.ts'
import { shardContains } from '../ton/block-id.ts'
import type { Cell } from '../ton/cell.ts'
import { parseMessage } from '../ton/tlb/message.ts'
import { accountOf } from '../ton/tlb/msg-address.ts'
import type { WaitingExternals } from './producer.ts'

/** External messages that were found good and wait for a block. */
export interface ExternalQueue extends WaitingExternals {
  /** Adds a message at the end; one that waits already goes on waiting. Throws `unavailable` when too many wait. */
  add(message: Cell): void
  size(): number
}

const MOST = 20_000

interface Waiting {
  message: Cell
  workchain: number
  prefix: bigint
}

/** Makes an empty queue. */
export const createExternalQueue = (): ExternalQueue => {
  const waiting = new Map<string, Waiting>()
  const nameOf = (message: Cell): string => message.hash().toString('latin1')
  return {
    add: (message) => {
      if (waiting.size >= MOST) throw new TonlithError('unavailable', 'too many external messages wait', { code: 503 })
      const { info } = parseMessage(message)
      const address = info._ === 'ext_in_msg_info' ? accountOf(info.dest) : undefined
      if (!address) throw new TonlithError('invalid', 'destination of the external message is no account')
      const { workchain } = address
      waiting.set(nameOf(message), { message, workchain, prefix: accountPrefix(address) })
    },
    of: (workchain, shard, most) => {
      const found: Cell[] = []
      for (const each of waiting.values()) {
        if (each.workchain !== workchain || !shardContains(shard, each.prefix)) continue
        if (found.push(each.message) >= most) break
      }
      return found
    },
    remove: (message) => void waiting.delete(nameOf(message)),
    size: () => waiting.size,
  }
}
