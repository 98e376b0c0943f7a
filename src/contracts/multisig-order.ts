import { isTonlithError, TonlithError } from '../common/errors.ts'
import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import { countCells } from '../ton/cell-count.ts'
import { dictList } from '../ton/dictionary.ts'
import { beginParse, type Slice } from '../ton/slice.ts'
import { parseMessageRelaxed } from '../ton/tlb/message-relaxed.ts'
import { accountOf, loadMsgAddressInt } from '../ton/tlb/msg-address.ts'
import { parseMessageBody } from './multisig-order-bodies.ts'
import type { ParsedBody } from './parsed-body.ts'

/** One action of an order of multisig v2. */
export type OrderAction =
  | {
      _: 'send_message'
      /** Send mode. */
      mode: number
      destination: Address | null
      /** Nano-units; zero for a message to the outside. */
      value: bigint
      body: Cell
      parsed: ParsedBody
    }
  | { _: 'update_multisig_params'; parsed: ParsedBody }
  | { _: 'unknown'; error: string }

const SEND_MESSAGE = 0xf1381e5b
const UPDATE_MULTISIG_PARAMS = 0x1d0cfbd3
const KEY_BITS = 8
/** Cells of all bodies of an order: actions can share their cells, so that few of them stand for very many. */
const MAX_BODY_CELLS = 16_384

/** TL-B Hashmap 8 MsgAddressInt. */
const loadMembers = (root: Cell | null): Address[] =>
  dictList(root, KEY_BITS, (value) => {
    const member = accountOf(loadMsgAddressInt(value))
    if (!member) throw new TonlithError('malformed', 'a member is no account')
    return member
  })

/** Counts down the cells of bodies that may still be shown. */
interface Budget {
  left: number
}

const sendMessage = (slice: Slice, budget: Budget): OrderAction => {
  const mode = slice.uint(8)
  const { info, body } = parseMessageRelaxed(slice.ref())
  budget.left -= countCells([body], budget.left)
  if (budget.left < 0) throw new TonlithError('limit', 'the bodies of the order are too large')
  return {
    _: 'send_message',
    mode,
    destination: accountOf(info.dest),
    value: info._ === 'int_msg_info' ? info.value.grams : 0n,
    body,
    parsed: parseMessageBody(body),
  }
}

const updateMultisigParams = (slice: Slice): OrderAction => {
  const new_threshold = slice.uint(8)
  const new_signers = loadMembers(slice.ref())
  const fields = { new_threshold, new_signers, new_proposers: loadMembers(slice.maybeRef()) }
  return { _: 'update_multisig_params', parsed: { type: 'multisig_update_params', fields } }
}

const loadAction = (slice: Slice, budget: Budget): OrderAction => {
  const tag = slice.uint(32)
  switch (tag) {
    case SEND_MESSAGE:
      return sendMessage(slice, budget)
    case UPDATE_MULTISIG_PARAMS:
      return updateMultisigParams(slice)
  }
  throw new TonlithError('malformed', `unknown order action type: ${tag}`)
}

/** An action that cannot be read does not hide the others. */
const readAction = (value: Slice, budget: Budget): OrderAction => {
  try {
    return loadAction(beginParse(value.ref()), budget)
  } catch (error) {
    if (isTonlithError(error, 'malformed') || isTonlithError(error, 'limit'))
      return { _: 'unknown', error: `failed to parse order action: ${error.message}` }
    throw error
  }
}

/**
 * The actions of an order in their order (multisig v2: Hashmap 8 ^OrderAction, the order's cell is its root). Throws
 * `malformed` for what is no such dictionary.
 */
export const readOrderActions = (order: Cell): OrderAction[] => {
  const budget = { left: MAX_BODY_CELLS }
  return dictList(order, KEY_BITS, (value) => readAction(value, budget))
}
