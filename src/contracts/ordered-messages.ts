import { isTonlithError } from '../common/errors.ts'
import type { Cell } from '../ton/cell.ts'
import { dictList } from '../ton/dictionary.ts'
import { beginParse } from '../ton/slice.ts'
import { decodeBody } from './body.ts'
import { type IntendedMessage, intendedMessages, listedMessages, readIntended } from './wallet-payload.ts'

/** Opcodes of the internal messages whose bodies are read here. */
export const ORDERING_OPCODES = [0x73696e74, 0x6578746e, 0xae42e5a4] as const

const KEY_BITS = 16
const SIGNATURE = 512
const V1_FIELDS = 32 + 32 + 32
const V2_FIELDS = 32 + 64

/** HashmapE 16 WalletMessage behind the signature and the fields: a mode and a reference each, by ascending key. */
const batchMessages = (body: Cell, fields: number): Cell[] => {
  const slice = beginParse(body).skip(SIGNATURE + fields)
  return dictList(slice.maybeRef(), KEY_BITS, (value) => value.ref())
}

/** The cells of the messages, by what the body is (schemes/wallets.tlb). */
const messageCells = (body: Cell): Cell[] => {
  switch (decodeBody(body)?.['@type']) {
    case 'wallet_signed_v1':
    case 'wallet_signed_v2':
      return Array.from({ length: body.refCount }, (_, i) => body.ref(i))
    case 'highload_wallet_signed_v1':
      return batchMessages(body, V1_FIELDS)
    case 'highload_wallet_signed_v2':
      return batchMessages(body, V2_FIELDS)
    case 'highload_wallet_signed_v3':
      return [body.ref(0).ref(0)]
    case 'highload_v3_internal_request':
    case 'w5_internal_signed_request':
    case 'w5_extension_action_request':
      return body.refCount === 0 ? [] : listedMessages(body.ref(0))
    default:
      return []
  }
}

/**
 * What a wallet of any version, highload ones too, is asked to send by the body of a message from outside, of another
 * contract, or of itself, in its order; nothing for any other body. What makes no message is left out.
 */
export const orderedMessages = (body: Cell): IntendedMessage[] => {
  const intended = intendedMessages(body)
  if (intended.length > 0) return intended
  try {
    return messageCells(body).flatMap((cell) => readIntended(cell) ?? [])
  } catch (error) {
    if (isTonlithError(error)) return []
    throw error
  }
}
