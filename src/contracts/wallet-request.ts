import { TonlithError } from '../common/errors.ts'
import { type Builder, beginCell } from '../ton/builder.ts'
import type { Cell } from '../ton/cell.ts'
import type { WalletInfo } from './wallet-info.ts'

/** A message that a wallet is asked to send. */
export interface OrderedMessage {
  /** TL-B ^(MessageRelaxed Any). */
  message: Cell
  /** Mode of SENDRAWMSG. */
  mode: number
}

/** What a wallet is asked for, with a signature of zeros. */
export interface WalletOrder {
  wallet: WalletInfo
  messages: readonly OrderedMessage[]
  /** Unix seconds; wallets v1 have none. */
  valid_until: number
}

interface WalletForm {
  /** Messages that one request holds. */
  most: number
  write(order: WalletOrder): Cell
}

const SIGNATURE = Buffer.alloc(64)
const SIGNED_EXTERNAL = 0x7369676e
const SEND_MESSAGE = 0x0ec3c86d
const SIMPLE_SEND = 0
const WALLET_ID_BETA_BITS = 80

const idOf = ({ wallet_id }: WalletInfo): bigint => {
  if (wallet_id === undefined) throw new TonlithError('internal', 'a wallet without its id')
  return wallet_id
}

/** TL-B WalletMessages (schemes/wallets.tlb): a mode and a reference each. */
const storeMessages = (builder: Builder, { messages }: WalletOrder): Builder => {
  for (const { message, mode } of messages) builder.uint(mode, 8).ref(message)
  return builder
}

/** TL-B OutList n: each link holds the one before it. */
const outList = ({ messages }: WalletOrder): Cell => {
  let list = beginCell().endCell()
  for (const { message, mode } of messages)
    list = beginCell().uint(SEND_MESSAGE, 32).uint(mode, 8).ref(list).ref(message).endCell()
  return list
}

const signed = (): Builder => beginCell().bytes(SIGNATURE)

/** The fields of wallets v3 and v4 in front of what they are asked for. */
const signedById = ({ wallet, valid_until }: WalletOrder): Builder =>
  signed().uint(idOf(wallet), 32).uint(valid_until, 32).uint(wallet.seqno, 32)

const signedAtEnd = ({ wallet, valid_until }: WalletOrder, idBits: number): Builder =>
  beginCell().uint(SIGNED_EXTERNAL, 32).uint(idOf(wallet), idBits).uint(valid_until, 32).uint(wallet.seqno, 32)

/** How each version is asked, by what its name (walletCode) begins with. */
const FORMS: readonly [name: string, form: WalletForm][] = [
  ['wallet v1', { most: 1, write: (order) => storeMessages(signed().uint(order.wallet.seqno, 32), order).endCell() }],
  [
    'wallet v2',
    {
      most: 4,
      write: (order) =>
        storeMessages(signed().uint(order.wallet.seqno, 32).uint(order.valid_until, 32), order).endCell(),
    },
  ],
  ['wallet v3', { most: 4, write: (order) => storeMessages(signedById(order), order).endCell() }],
  ['wallet v4', { most: 4, write: (order) => storeMessages(signedById(order).uint(SIMPLE_SEND, 8), order).endCell() }],
  [
    'wallet v5 beta',
    {
      most: 255,
      write: (order) =>
        signedAtEnd(order, WALLET_ID_BETA_BITS).bit(false).ref(outList(order)).bytes(SIGNATURE).endCell(),
    },
  ],
  [
    'wallet v5 r1',
    {
      most: 255,
      write: (order) => signedAtEnd(order, 32).maybeRef(outList(order)).bit(false).bytes(SIGNATURE).endCell(),
    },
  ],
]

/**
 * The body of the external message by which a wallet (v1 to v5) is asked to send messages (schemes/wallets.tlb), with a
 * signature of zeros. Throws `conflict` for more messages than one request of it holds.
 */
export const walletRequest = (order: WalletOrder): Cell => {
  const { wallet_type } = order.wallet
  const form = FORMS.find(([name]) => wallet_type.startsWith(name))?.[1]
  if (!form) throw new TonlithError('conflict', `how a ${wallet_type} is asked is not known`)
  if (order.messages.length > form.most)
    throw new TonlithError('conflict', `a ${wallet_type} takes at most ${form.most} messages at once`)
  return form.write(order)
}
