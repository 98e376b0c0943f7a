import { isTonlithError, TonlithError } from '../common/errors.ts'
import type { Address } from './address.ts'
import { beginCell } from './builder.ts'
import { type Cell, MAX_BITS, MAX_REFS } from './cell.ts'
import { countCells } from './cell-count.ts'
import { beginParse } from './slice.ts'
import { parseMessage } from './tlb/message.ts'
import { accountOf, storeStdAddress } from './tlb/msg-address.ts'
import { parseStateInit, stateInitCell } from './tlb/state-init.ts'

/** What the network carries at most (node: ExtMessage limits). */
export const MAX_MESSAGE_BYTES = 65_535
const MAX_MESSAGE_DEPTH = 512
/** Cells of a message (TL-B SizeLimitsConfig: max_msg_cells). */
export const MAX_MESSAGE_CELLS = 8_192

const EXT_IN_MSG_INFO = 0b10
const MIN_WORKCHAIN = -128
const MAX_WORKCHAIN = 127

const refuse = (what: string): TonlithError => new TonlithError('invalid', what)

/** Checks the length of a message's bag of cells. Throws `invalid`. */
export const checkMessageBytes = (bytes: number): void => {
  if (bytes > MAX_MESSAGE_BYTES) throw refuse(`external message is larger than ${MAX_MESSAGE_BYTES} bytes`)
}

/** Asked for before a message is built: without it, cells that no message can have would be hashed and written. */
const checkCells = (parts: readonly Cell[]): void => {
  if (countCells(parts, MAX_MESSAGE_CELLS) > MAX_MESSAGE_CELLS)
    throw refuse(`external message has more than ${MAX_MESSAGE_CELLS} cells`)
}

const checkDepth = (cell: Cell): void => {
  if (cell.depth() > MAX_MESSAGE_DEPTH) throw refuse(`external message is deeper than ${MAX_MESSAGE_DEPTH}`)
}

const checkParts = (root: Cell): void => {
  const slice = beginParse(root)
  if (slice.remainingBits < 2 || slice.preloadUint(2) !== EXT_IN_MSG_INFO)
    throw refuse('CommonMsgInfo tag is not ext_in_msg_info')
  const { info, init, body } = parseMessage(root)
  if (info._ !== 'ext_in_msg_info' || !accountOf(info.dest))
    throw refuse('destination of the external message is no account')
  if (init) parseStateInit(init)
  // A node opens the body as an ordinary cell before it asks the account, and drops the message when that fails.
  if (body.exotic) throw refuse('body of the external message is an exotic cell')
}

/**
 * Checks that a cell is an external message which the network may carry, `bytes` being the length of its BoC: by what a
 * node looks at before it asks the account. Throws `invalid`.
 */
export const checkExternalMessage = (root: Cell, bytes: number): void => {
  checkMessageBytes(bytes)
  if (root.level !== 0) throw refuse('external message must have zero level')
  checkDepth(root)
  try {
    checkParts(root)
  } catch (error) {
    if (isTonlithError(error, 'malformed')) throw refuse(`external message cannot be read: ${error.message}`)
    throw error
  }
}

/** Code and data of an account that is not deployed yet. */
export interface InitialState {
  code: Cell
  data: Cell
}

/** What an external message is made of. */
export interface ExternalMessage {
  dest: Address
  body: Cell
  init: InitialState | undefined
}

/** TL-B StateInit with code and data alone. */
export const initCell = ({ code, data }: InitialState): Cell =>
  stateInitCell({ fixed_prefix_length: null, special: null, code, data, library: null })

/**
 * An external-in message as wallets and tonlib write it: no source, no import fee, the StateInit in line, the body in line
 * where there is room for it. Throws `invalid` for a workchain that the address cannot hold, and for parts that are deeper
 * or have more cells than any message may have.
 */
export const externalMessage = ({ dest, body, init }: ExternalMessage): Cell => {
  const { workchain } = dest
  if (workchain < MIN_WORKCHAIN || workchain > MAX_WORKCHAIN) throw refuse(`workchain ${workchain} does not exist`)
  const parts = init ? [body, init.code, init.data] : [body]
  checkCells(parts)
  parts.forEach(checkDepth)
  const builder = storeStdAddress(beginCell().uint(EXT_IN_MSG_INFO, 2).uint(0, 2), dest).coins(0n)
  if (init) builder.uint(0b10, 2).slice(beginParse(initCell(init)))
  else builder.bit(false)
  const refs = init ? 2 : 0
  const fits = !body.exotic && builder.bitLength + 1 + body.bits <= MAX_BITS && refs + body.refCount <= MAX_REFS
  return fits ? builder.bit(false).slice(beginParse(body)).endCell() : builder.bit(true).ref(body).endCell()
}
