import { createHmac, pbkdf2Sync } from 'node:crypto'
import { TonlithError } from '../../common/errors.ts'
import { signEd25519 } from '../../liteserver/curve25519.ts'
import type { Address } from '../../ton/address.ts'
import { beginCell } from '../../ton/builder.ts'
import type { Cell } from '../../ton/cell.ts'
import { externalMessage, type InitialState, initCell } from '../../ton/external-message.ts'
import { beginParse } from '../../ton/slice.ts'
import { storeStdAddress } from '../../ton/tlb/msg-address.ts'
import { type DevWallet, V5R1_WALLET_ID } from './wallets.ts'

/** A message that a wallet is to send; `value` in nano-units. */
export interface OutgoingMessage {
  dest: Address
  value: bigint
  bounce: boolean
  body: Cell
  /** Deploys the account on the way. */
  init?: InitialState
}

const MAX_MESSAGES = 255
const SIGNED_EXTERNAL = 0x7369676e
const ACTION_SEND_MSG = 0x0ec3c86d
/** The wallet pays the fees (1), and a message that cannot be sent does not stop the others (2). */
const SEND_MODE = 3

const SEED_ROUNDS = 100_000

/** The Ed25519 seed behind 24 words without a password, as `mnemonicToPrivateKey` of `@ton/crypto` makes it. */
export const mnemonicSeed = (mnemonic: string): Buffer => {
  const entropy = createHmac('sha512', mnemonic).update('').digest()
  return pbkdf2Sync(entropy, 'TON default seed', SEED_ROUNDS, 64, 'sha512').subarray(0, 32)
}

/** TL-B MessageRelaxed of an internal message; the node fills in the sender, the fees and the time. */
const messageCell = ({ dest, value, bounce, body, init }: OutgoingMessage): Cell => {
  const builder = beginCell().bit(false).bit(true).bit(bounce).bit(false).uint(0, 2)
  storeStdAddress(builder, dest).coins(value).bit(false).coins(0n).coins(0n).uint(0, 64).uint(0, 32)
  if (init) builder.uint(0b11, 2).ref(initCell(init))
  else builder.bit(false)
  return builder.bit(true).ref(body).endCell()
}

/** TL-B OutList: the last action outside, the first one in the innermost cell. */
const actionList = (messages: readonly OutgoingMessage[]): Cell =>
  messages.reduce(
    (previous, message) =>
      beginCell().ref(previous).uint(ACTION_SEND_MSG, 32).uint(SEND_MODE, 8).ref(messageCell(message)).endCell(),
    beginCell().endCell(),
  )

/**
 * The external message by which a wallet v5r1 sends up to 255 messages.
 * @param seed the wallet's
 * @param valid_until unix seconds
 * @throws TonlithError `internal` for too many messages and for another kind of wallet
 */
export const walletMessage = (
  { version, address }: DevWallet,
  seed: Buffer,
  messages: readonly OutgoingMessage[],
  { seqno, valid_until }: { seqno: number; valid_until: number },
): Cell => {
  if (version !== 'v5r1' || messages.length > MAX_MESSAGES)
    throw new TonlithError('internal', 'not what a wallet v5r1 sends at once')
  const order = beginCell()
    .uint(SIGNED_EXTERNAL, 32)
    .uint(V5R1_WALLET_ID, 32)
    .uint(valid_until, 32)
    .uint(seqno, 32)
    .maybeRef(actionList(messages))
    .bit(false)
    .endCell()
  const body = beginCell().slice(beginParse(order)).bytes(signEd25519(seed, order.hash())).endCell()
  return externalMessage({ dest: address, body, init: undefined })
}
