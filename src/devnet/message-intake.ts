import { hash } from 'node:crypto'
import { isTonlithError } from '../common/errors.ts'
import type { Address } from '../ton/address.ts'
import { mcStateExtraOf } from '../ton/tlb/mc-state-extra.ts'
import { parseShardStateUnsplit } from '../ton/tlb/shard-state.ts'
import type { Executor } from '../tvm/executor.ts'
import type { CollatedBlock } from './collate/collation.ts'
import { checkAcceptance, isEarly, type SendingHead } from './external-message.ts'
import { liteError } from './lite-error.ts'
import type { Mempool, PooledMessage } from './mempool.ts'
import type { SendMessage } from './query.ts'
import { readSentMessage, refusal, type SentMessage } from './sent-message.ts'

export interface IntakeOptions {
  executor: Executor
  mempool: Mempool
  /** The newest masterchain block. */
  head(): SendingHead
  /** Unix time in seconds. */
  now(): number
  /** Waits for an account that may be on its way from outside. */
  arrive?: ((account: Address) => Promise<void>) | undefined
  /** Is told of each message that was taken: its bag of cells. */
  taken?: ((body: Buffer) => void) | undefined
}

/** What stands between liteServer.sendMessage and the mempool. */
export interface MessageIntake {
  send: SendMessage
  /**
   * Tells the mempool what a block did with its messages, once that block is part of the head. What was refused may be
   * sent again; messages whose turn has not come yet wait on.
   */
  settle(block: Pick<CollatedBlock, 'taken' | 'refused'>): void
  /** Drops the messages that are too old. */
  expire(): void
}

/** A node forgets after this many seconds what it was sent (node: LiteServerCache). */
const REMEMBERED_SECONDS = 60

const configAt = ({ state }: SendingHead) => mcStateExtraOf(parseShardStateUnsplit(state)).config.config

export const createIntake = ({ executor, mempool, head, now, arrive, taken }: IntakeOptions): MessageIntake => {
  const sent = new Set<string>()
  let forgottenAt = now()

  const remember = (key: string): void => {
    const time = now()
    if (time - forgottenAt >= REMEMBERED_SECONDS) {
      sent.clear()
      forgottenAt = time
    }
    if (sent.has(key)) throw liteError(0, 'cannot send external message : duplicate message')
    sent.add(key)
  }
  const forget = (messages: readonly PooledMessage[]): void => {
    for (const message of messages) sent.delete(message.sent)
  }
  const check = (message: SentMessage) =>
    checkAcceptance(message, {
      head: head(),
      executor,
      now: now(),
      isWaiting: (seqno) => mempool.isWaiting(message.dest, seqno),
    })
  const take = async (body: Buffer, key: string): Promise<void> => {
    const message = readSentMessage(body, configAt(head()))
    await arrive?.(message.dest)
    await executor.ready()
    const { cell, dest, bytes } = message
    try {
      mempool.add({ cell, dest, bytes, turn: check(message), sent: key }, now())
    } catch (error) {
      if (isTonlithError(error, 'limit')) throw refusal(error.message)
      throw error
    }
  }
  return {
    send: async (body) => {
      const key = hash('sha256', body)
      remember(key)
      try {
        await take(body, key)
        taken?.(body)
      } catch (error) {
        sent.delete(key)
        throw error
      }
    },
    settle: (block) => {
      const at = head()
      forget(mempool.settle(block, ({ dest, turn }) => turn !== undefined && isEarly(at, { dest, turn })))
    },
    expire: () => forget(mempool.expire(now())),
  }
}
