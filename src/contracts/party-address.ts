import { TonlithError } from '../common/errors.ts'
import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import { beginParse, type Slice } from '../ton/slice.ts'

const ADDR_STD = 2
const ADDR_VAR = 3
const HASH_BITS = 256

/** TL-B Maybe Anycast: the leading bits of the account id that stand in place of the stored ones. */
const readAnycast = (slice: Slice): { depth: number; prefix: number } => {
  if (!slice.bit()) return { depth: 0, prefix: 0 }
  const depth = slice.uint(5)
  if (depth < 1 || depth > 30) throw new TonlithError('malformed', 'bad anycast depth')
  return { depth, prefix: slice.uint(depth) }
}

const rewrite = (hash: Buffer, depth: number, prefix: number): Buffer => {
  const rewritten = Buffer.from(hash)
  const low = 2 ** (32 - depth)
  rewritten.writeUInt32BE(prefix * low + (hash.readUInt32BE(0) % low), 0)
  return rewritten
}

/**
 * The internal address in a cell of its own, addr_std or an addr_var of 256 bits, anycast prefix applied; undefined for
 * addr_none, addr_extern and other lengths. Throws `malformed` when the cell holds no MsgAddress.
 */
export const readPartyAddress = (cell: Cell): Address | undefined => {
  const slice = beginParse(cell)
  const tag = slice.uint(2)
  if (tag !== ADDR_STD && tag !== ADDR_VAR) return undefined
  const { depth, prefix } = readAnycast(slice)
  const bits = tag === ADDR_STD ? HASH_BITS : slice.uint(9)
  const workchain = slice.int(tag === ADDR_STD ? 8 : 32)
  if (bits !== HASH_BITS) {
    slice.skip(bits)
    return undefined
  }
  return { workchain, hash: rewrite(slice.bytes(32), depth, prefix) }
}
