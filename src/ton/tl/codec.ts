import { boxOf, functionBox, planOf, readBox, readFields, writeTagged } from './plan.ts'
import { readEnd, readerOf } from './reader.ts'
import type { BoxedName, ConstructorName, FunctionName } from './schema.ts'
import type { Boxed, Call, Tagged } from './types.ts'
import { writerOf, written } from './writer.ts'

/*
 * Whatever is decoded are plain objects: a boxed one names its constructor in `_`, a bare one has its fields alone.
 * Byte strings are views on the input. Every decoding error is `malformed` in the words of the node's own TL parser.
 */

/**
 * TL bytes of a boxed object or of a function call: id, then fields. The bits of `mode` decide which conditional fields
 * are written; a `mode.N?true` field is its bit. Throws `invalid` where a value does not fit its type.
 */
export const encode = (value: Tagged<ConstructorName> | Call): Buffer => {
  const w = writerOf()
  writeTagged(planOf(value._), w, value)
  return written(w)
}

/** Reads a boxed object of the given type from the whole of `bytes`. Throws `malformed`. */
export const decode = <T extends BoxedName>(type: T, bytes: Buffer): Boxed<T> => {
  const r = readerOf(bytes)
  const value = readBox(boxOf(type), r)
  readEnd(r)
  return value as unknown as Boxed<T>
}

/** Reads a function call, whichever of the table's functions it is, from the whole of `bytes`. Throws `malformed`. */
export const decodeCall = (bytes: Buffer): Call => {
  const r = readerOf(bytes)
  const value = readBox(functionBox, r)
  readEnd(r)
  return value as unknown as Call
}

/** Reads the call of one function from the front of `bytes`; undefined when it does not stand there whole. */
export const decodePrefix = <N extends FunctionName>(
  name: N,
  bytes: Buffer,
): { call: Call<N>; rest: Buffer } | undefined => {
  const plan = planOf(name)
  if (bytes.length < 4 || bytes.readUInt32LE(0) !== plan.id) return undefined
  const r = { bytes, at: 4 }
  try {
    const call = readFields(plan, r, { _: name })
    return { call: call as unknown as Call<N>, rest: bytes.subarray(r.at) }
  } catch {
    return undefined
  }
}
