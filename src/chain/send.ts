import { isTonlithError, TonlithError } from '../common/errors.ts'
import { sendMessage } from '../liteserver/client.ts'
import type { Cell } from '../ton/cell.ts'
import { checkExternalMessage } from '../ton/external-message.ts'
import type { Chain } from './chain.ts'

/** An external message: its root and the bytes that hold it. */
export interface OutgoingMessage {
  boc: Buffer
  root: Cell
}

const ACCEPTED = 1
/** A liteserver that has these bytes already, from whomever: the network was told. */
const DUPLICATE = /: duplicate message$/
/** What a liteserver says when the account is in no state. */
const NO_ACCOUNT = /: Failed to unpack account state$/

const explained = (error: unknown): unknown =>
  isTonlithError(error, 'liteserver') && NO_ACCOUNT.test(error.message)
    ? new TonlithError('liteserver', `${error.message} (ACCOUNT_UNINIT: the account does not exist)`, {
        ...(error.code !== undefined && { code: error.code }),
        cause: error,
      })
    : error

const deliver = async ({ pool }: Chain, boc: Buffer): Promise<void> => {
  try {
    const { status } = await pool.run((query) => sendMessage(query, boc), { once: true })
    if (status !== ACCEPTED) throw new TonlithError('liteserver', `message not accepted: status ${status}`)
  } catch (error) {
    if (isTonlithError(error, 'liteserver') && DUPLICATE.test(error.message)) return
    throw explained(error)
  }
}

/**
 * Hands an external message to the network: to one liteserver, once, unless the connection breaks before it has left. One
 * that was accepted lately counts as sent. Throws `invalid` for what the network would not carry, `liteserver` with the
 * liteserver's words when it refuses, and what the pool throws; after `timeout` and `connection` the message may have
 * arrived.
 */
export const sendExternalMessage = async (chain: Chain, { boc, root }: OutgoingMessage): Promise<void> => {
  checkExternalMessage(root, boc.length)
  await chain.sent.once(root.hash(), async () => {
    await deliver(chain, boc)
    await chain.pending?.add(root)
  })
}
