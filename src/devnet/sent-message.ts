import { isTonlithError, type TonlithError } from '../common/errors.ts'
import type { Address } from '../ton/address.ts'
import { parseBoc } from '../ton/boc.ts'
import type { Cell } from '../ton/cell.ts'
import { beginParse } from '../ton/slice.ts'
import { configParam } from '../ton/tlb/config-params.ts'
import { parseMessage } from '../ton/tlb/message.ts'
import { accountOf } from '../ton/tlb/msg-address.ts'
import { parseStateInit } from '../ton/tlb/state-init.ts'
import { liteError } from './lite-error.ts'

/** An external message as it was sent, read as far as a node reads it before it asks the account. */
export interface SentMessage {
  /** TL-B Message Any. */
  cell: Cell
  dest: Address
  body: Cell
  /** Length of the bag of cells. */
  bytes: number
}

/** What the network carries at most; a depth of `depth` is too much already. */
interface Limits {
  bytes: number
  depth: number
}

const DEFAULT_LIMITS: Limits = { bytes: 65_535, depth: 512 }
const SIZE_LIMITS = 43
const EXT_IN_MSG_INFO = 0b10

/** A node's answer to a message that it does not take. */
export const refusal = (what: string, code = 0): TonlithError =>
  liteError(code, `cannot apply external message to current state : ${what}`)

/** TL-B SizeLimitsConfig: tag, three uint32 and a depth before the limits of external messages. */
const limitsOf = (config: Cell): Limits => {
  const param = configParam(config, SIZE_LIMITS)
  if (!param) return DEFAULT_LIMITS
  const slice = beginParse(param).skip(8 + 3 * 32 + 16)
  return { bytes: slice.uint(32), depth: slice.uint(16) }
}

const rootOf = (data: Buffer): Cell => {
  try {
    const [root, ...more] = parseBoc(data)
    if (root && more.length === 0) return root
  } catch (error) {
    if (!isTonlithError(error)) throw error
  }
  throw refusal('external message is not a valid bag of cells')
}

const readParts = (cell: Cell): { dest: Address | null; body: Cell } => {
  try {
    const { info, init, body } = parseMessage(cell)
    if (init) parseStateInit(init)
    return { dest: info._ === 'ext_in_msg_info' ? accountOf(info.dest) : null, body }
  } catch (error) {
    if (!isTonlithError(error, 'malformed')) throw error
    throw refusal('external message is not a (Message Any) according to automated checks')
  }
}

/**
 * Reads the body of liteServer.sendMessage as a node does (ExtMessageQ::create_ext_message), within the limits of the
 * configuration (root of its dictionary). Throws the node's errors.
 */
export const readSentMessage = (data: Buffer, config: Cell): SentMessage => {
  const limits = limitsOf(config)
  if (data.length > limits.bytes) throw refusal('external message too large, rejecting')
  const cell = rootOf(data)
  if (cell.level !== 0) throw refusal('external message must have zero level')
  if (cell.depth() >= limits.depth) throw refusal('external message is too deep')
  if (cell.exotic || cell.bits < 2 || beginParse(cell).uint(2) !== EXT_IN_MSG_INFO)
    throw refusal('external message must begin with ext_in_msg_info$10')
  const { dest, body } = readParts(cell)
  if (!dest) throw refusal("Can't parse destination address")
  return { cell, dest, body, bytes: data.length }
}
