import { TonlithError } from '../common/errors.ts'
import type { LayerZeroPacket, LayerZeroSendData } from '../model/actions/layerzero.ts'
import type { Cell } from '../ton/cell.ts'
import { beginParse, type Slice } from '../ton/slice.ts'

/**
 * What contracts of LayerZero tell each other stands in objects behind references. Each begins with 350 bits: 10 bytes of
 * its name, 18 bits for each of its fields, and ones. So no TL-B constructor marks them. All readers throw `malformed` for
 * another body.
 */
interface ObjectKind {
  name: string
  header: bigint
}

const HEADER_BITS = 350
const NAME_DIGITS = 20

/** `fields` is the hex of what tells the fields, as far as it is not ones. */
const objectKind = (name: string, fields: string): ObjectKind => {
  const digits = Buffer.from(name).toString('hex').padStart(NAME_DIGITS, '0') + fields
  const left = BigInt(HEADER_BITS - digits.length * 4)
  return { name, header: (BigInt(`0x${digits}`) << left) | ((1n << left) - 1n) }
}

const LZ_SEND = objectKind('lzSend', '615ee067b829ee200393ff1e4037980e4ffd9bff26ffd')
const PACKET = objectKind('Packet', '93ff24ffd615ee067b')
const PATH = objectKind('path', '515ee05fb527ee0a7b')
const VERIFICATION_STATUS = objectKind('veristatus', '615ed467b')

const openObject = (cell: Cell, { name, header }: ObjectKind): Slice => {
  const slice = beginParse(cell)
  if (slice.uintBig(HEADER_BITS) !== header) throw new TonlithError('malformed', `no ${name} of LayerZero`)
  return slice
}

/** The cell behind the first reference of a cell, `depth` times. */
const within = (cell: Cell, depth: number): Cell => (depth === 0 ? cell : within(beginParse(cell).ref(), depth - 1))

const hexOf = (value: bigint): string => `0x${value.toString(16)}`

const readPacket = (cell: Cell): LayerZeroPacket => {
  const slice = openObject(cell, PACKET)
  const path = openObject(slice.ref(), PATH)
  const message = beginParse(slice.ref())
  const src_eid = path.uint(32)
  const src_oapp = hexOf(path.uintBig(256))
  const dst_eid = path.uint(32)
  const dst_oapp = hexOf(path.uintBig(256))
  return {
    src_oapp,
    dst_oapp,
    src_eid,
    dst_eid,
    nonce: slice.uintBig(64),
    guid: hexOf(slice.uintBig(256)),
    message: `0x${message.bits(message.remainingBits).bytes.toString('hex')}`,
  }
}

/** What a channel tells an application of a packet that was sent: `lzSend`, in a `MsgReceipt`, in an `MdObj`. */
export interface SentPacket
  extends Pick<LayerZeroSendData, 'send_request_id' | 'msglib_manager' | 'msglib' | 'native_fee' | 'zro_fee'> {
  packet: LayerZeroPacket
}

export const readSentPacket = (body: Cell): SentPacket => {
  const slice = openObject(within(body, 3), LZ_SEND)
  const send_request_id = slice.uintBig(64)
  const msglib_manager = hexOf(slice.uintBig(256))
  const msglib = hexOf(slice.uintBig(256))
  const packet = readPacket(slice.ref())
  const fees = beginParse(slice.skipRefs(1).ref()).skip(256)
  return {
    send_request_id,
    msglib_manager,
    msglib,
    native_fee: fees.uintBig(128),
    zro_fee: fees.uintBig(128),
    packet,
  }
}

/** The packet in an `MdObj` or an `extendedMd`: what is to be executed, or is committed. */
export const readCarriedPacket = (body: Cell): LayerZeroPacket => readPacket(within(body, 2))

/** What became of a verification (`veristatus` in an `MdObj`): the packet's nonce, and a code. */
export const readVerification = (body: Cell): { nonce: bigint; status: number } => {
  const slice = openObject(within(body, 2), VERIFICATION_STATUS)
  return { nonce: slice.uintBig(64), status: slice.uint(32) }
}
