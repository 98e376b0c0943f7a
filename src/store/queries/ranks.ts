import { MAX_U64, u32Key, u64Key } from '../keys.ts'

/** Bytes of the ranks of lists: by lt, by time, by time and then lt. */
export const LT_SIZE = 8
export const TIME_SIZE = 4
export const TIME_LT_SIZE = TIME_SIZE + LT_SIZE

const MAX_U32 = 0xffffffff

/** An lt as a rank; one that is no uint64 becomes the nearest. */
export const ltRank = (lt: bigint): Buffer => u64Key(lt < 0n ? 0n : lt > MAX_U64 ? MAX_U64 : lt)

/** A time in seconds as a rank; one that is no uint32 becomes the nearest. */
export const timeRank = (utime: number): Buffer => u32Key(Math.max(0, Math.min(MAX_U32, Math.floor(utime))))
