import { type Builder, beginCell } from '../../src/ton/builder.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { encodeDict } from './dict-encoder.ts'

/** The value under a parameter in `configDictionary`: 32 bytes of n. */
export const configValue = (n: number): Cell => beginCell().bytes(Buffer.alloc(32, n)).endCell()

/** A dictionary of configuration parameters (TL-B Hashmap 32 ^Cell), each holding its number's low byte. */
export const configDictionary = (indices: readonly number[]): Cell =>
  encodeDict(
    indices.map((index) => ({
      key: BigInt.asUintN(32, BigInt(index)).toString(2).padStart(32, '0'),
      value: (builder: Builder) => builder.ref(configValue(index & 0xff)),
    })),
    32,
    { label: (fitting) => fitting[0]! },
  )
