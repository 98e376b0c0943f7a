import { randomBytes } from 'node:crypto'
import { TonlithError } from '../common/errors.ts'
import { verifyEd25519 } from '../ton/signatures.ts'
import type { Boxed } from '../ton/tl/types.ts'

/** Bytes that the server adds to what the client chose; the client signs both. */
const SERVER_NONCE = 256
/** The longest nonce that a client may choose. */
const MAX_CLIENT_NONCE = 1024

/**
 * How a client proves to hold a key of its own, which some insist on doing before they ask anything: tcp.authentificate
 * is answered with a nonce, and tcp.authentificationComplete signs it. A liteserver asks for no key, so that nothing
 * depends on which one it is.
 */
export interface ClientAuthentication {
  /** Takes a step of the client; gives what it is answered with. Throws `malformed` where a node would hang up. */
  take(message: Boxed<'tcp.Message'>): Boxed<'tcp.Message'> | undefined
}

/** The state of one connection. */
export const createClientAuthentication = (): ClientAuthentication => {
  let nonce: Buffer | undefined
  let isDone = false
  const refuse = (why: string): never => {
    throw new TonlithError('malformed', why)
  }
  return {
    take(message) {
      if (isDone) return refuse('the client has proved its key already')
      if (message._ === 'tcp.authentificate') {
        if (nonce || message.nonce.length > MAX_CLIENT_NONCE) return refuse('no second or long nonce is taken')
        const own = randomBytes(SERVER_NONCE)
        nonce = Buffer.concat([message.nonce, own])
        return { _: 'tcp.authentificationNonce', nonce: own }
      }
      if (message._ === 'tcp.authentificationNonce' || !nonce) return refuse('nothing is to be signed')
      if (!verifyEd25519(message.key.key, nonce, message.signature)) return refuse('bad signature of a client')
      isDone = true
      return undefined
    },
  }
}
