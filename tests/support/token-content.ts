import { createHash } from 'node:crypto'
import { beginCell as beginTonCore, Dictionary, type Cell as TonCoreCell } from '@ton/core'
import type { Cell } from '../../src/ton/cell.ts'
import { fromTonCore } from './ton-core.ts'

/** TEP-64 content, written with @ton/core. */

const keyOf = (name: string): Buffer => createHash('sha256').update(name).digest()

/** Bytes as SnakeData of so many bytes a cell, with a prefix in the first one. */
export const snakeCell = (prefix: number | undefined, bytes: Buffer, perCell = 100): TonCoreCell => {
  const whole = prefix === undefined ? bytes : Buffer.concat([Buffer.from([prefix]), bytes])
  let tail: TonCoreCell | undefined
  for (let at = Math.max(0, Math.ceil(whole.length / perCell) - 1) * perCell; at >= 0; at -= perCell) {
    const builder = beginTonCore().storeBuffer(whole.subarray(at, at + perCell))
    tail = (tail ? builder.storeRef(tail) : builder).endCell()
  }
  return tail!
}

/** Bytes as ChunkedData of so many bytes a chunk. */
export const chunkedCell = (bytes: Buffer, perChunk = 50): TonCoreCell => {
  const chunks = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.Cell())
  for (let at = 0; at < bytes.length; at += perChunk)
    chunks.set(
      at / perChunk,
      beginTonCore()
        .storeBuffer(bytes.subarray(at, at + perChunk))
        .endCell(),
    )
  return beginTonCore().storeUint(1, 8).storeDict(chunks).endCell()
}

/** On-chain content of these attributes; the name of an unknown one may be any text. */
export const onchainContent = (attributes: Readonly<Record<string, TonCoreCell>>): Cell => {
  const dict = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell())
  for (const [name, value] of Object.entries(attributes)) dict.set(keyOf(name), value)
  return fromTonCore(beginTonCore().storeUint(0, 8).storeDict(dict).endCell())
}

/** Off-chain content. */
export const offchainContent = (uri: string | Buffer, perCell?: number): Cell =>
  fromTonCore(snakeCell(1, Buffer.from(uri as string), perCell))
