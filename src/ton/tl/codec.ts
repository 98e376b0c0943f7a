import { TonlithError } from '../../common/errors.ts'
import type { Constructor } from './constructor.ts'
import {
  type Reader,
  readBool,
  readBytes,
  readCount,
  readEnd,
  readerOf,
  readId,
  readInt,
  readInt128,
  readInt256,
  readLong,
  readNat,
  readString,
  tlError,
} from './reader.ts'
import { type BoxedName, CONSTRUCTORS, type ConstructorName, FUNCTIONS, type FunctionName } from './schema.ts'
import type { Arguments, Bare, Boxed, Call, Tagged } from './types.ts'
import {
  type Writer,
  writeBool,
  writeBytes,
  writeId,
  writeInt,
  writeInt128,
  writeInt256,
  writeLong,
  writeNat,
  writeString,
  writerOf,
  written,
} from './writer.ts'

type Plain = Record<string, unknown>
interface Codec {
  read(r: Reader): unknown
  write(w: Writer, value: unknown): void
}
interface Field extends Codec {
  name: string
  /** The field that holds the condition's bits, and this one's bit. */
  flags: string | undefined
  bit: number
}
interface Plan {
  name: string
  id: number
  fields: Field[]
  tagged: boolean
}

const codec = <T>(read: (r: Reader) => T, write: (w: Writer, value: T) => void): Codec => ({
  read,
  write: (w, value) => write(w, value as T),
})

const codecs = new Map<string, Codec>([
  ['int', codec(readInt, writeInt)],
  ['#', codec(readNat, writeNat)],
  ['long', codec(readLong, writeLong)],
  ['int128', codec(readInt128, writeInt128)],
  ['int256', codec(readInt256, writeInt256)],
  ['bytes', codec(readBytes, writeBytes)],
  ['string', codec(readString, writeString)],
  ['Bool', codec(readBool, writeBool)],
  [
    'true',
    codec(
      () => true,
      () => {},
    ),
  ],
])

const constructors: Readonly<Record<string, Constructor>> = CONSTRUCTORS
const functions: Readonly<Record<string, Constructor>> = FUNCTIONS

const readFields = (plan: Plan, r: Reader): Plain => {
  const value: Plain = plan.tagged ? { _: plan.name } : {}
  for (const field of plan.fields) {
    if (field.flags !== undefined && (((value[field.flags] as number) >>> field.bit) & 1) === 0) continue
    value[field.name] = field.read(r)
  }
  return value
}

const writeFields = (plan: Plan, w: Writer, value: Plain): void => {
  for (const field of plan.fields) {
    if (field.flags !== undefined && (((value[field.flags] as number) >>> field.bit) & 1) === 0) continue
    const part = value[field.name]
    if (part === undefined && field !== undefined && field.flags === undefined)
      throw new TonlithError('invalid', `${plan.name}: field ${field.name} is missing`)
    if (part === undefined && !isTrue(plan, field))
      throw new TonlithError('invalid', `${plan.name}: ${field.flags} asks for the missing field ${field.name}`)
    field.write(w, part)
  }
}
