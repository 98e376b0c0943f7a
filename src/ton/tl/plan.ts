import { TonlithError } from '../../common/errors.ts'
import type { Constructor } from './constructor.ts'
import * as reader from './reader.ts'
import { CONSTRUCTORS, FUNCTIONS } from './schema.ts'
import * as writer from './writer.ts'

type Plain = Record<string, unknown>

/** How one TL type is read and written. */
interface Codec {
  read(r: reader.Reader): unknown
  write(w: writer.Writer, value: unknown): void
}

interface Field extends Codec {
  readonly name: string
  /** Name of the field with the condition's bits; undefined where the field is always there. */
  readonly flags: string | undefined
  readonly mask: number
  /** A `mode.N?true` field has no bytes of its own: the bit is the value. */
  readonly silent: boolean
}

/** One constructor or function, made ready for reading and writing. */
export interface Plan {
  readonly name: string
  readonly id: number
  readonly fields: readonly Field[]
}

const scalar = <T>(read: (r: reader.Reader) => T, write: (w: writer.Writer, value: T) => void): Codec => ({
  read,
  write: (w, value) => write(w, value as T),
})

const codecs = new Map<string, Codec>([
  ['int', scalar(reader.readInt, writer.writeInt)],
  ['#', scalar(reader.readNat, writer.writeNat)],
  ['long', scalar(reader.readLong, writer.writeLong)],
  ['int128', scalar(reader.readInt128, writer.writeInt128)],
  ['int256', scalar(reader.readInt256, writer.writeInt256)],
  ['bytes', scalar(reader.readBytes, writer.writeBytes)],
  ['string', scalar(reader.readString, writer.writeString)],
  ['Bool', scalar(reader.readBool, writer.writeBool)],
])

const constructors: Readonly<Record<string, Constructor>> = CONSTRUCTORS
const functions: Readonly<Record<string, Constructor>> = FUNCTIONS
const plans = new Map<string, Plan>()
const boxes = new Map<string, ReadonlyMap<number, Plan>>()

const vectorOf = (element: Codec): Codec => ({
  read: (r) => {
    const count = reader.readCount(r)
    const values: unknown[] = []
    for (let i = 0; i < count; i++) values.push(element.read(r))
    return values
  },
  write: (w, value) => {
    if (!Array.isArray(value)) throw new TonlithError('invalid', `${typeof value} is no TL vector`)
    writer.writeInt(w, value.length)
    for (const each of value) element.write(w, each)
  },
})

const codecOf = (type: string): Codec => {
  const known = codecs.get(type)
  if (known) return known
  let made: Codec
  if (type.startsWith('vector ')) made = vectorOf(codecOf(type.slice('vector '.length)))
  else if (constructors[type]) {
    const plan = planOf(type)
    made = { read: (r) => readFields(plan, r, {}), write: (w, value) => writeFields(plan, w, value as Plain) }
  } else {
    const box = boxOf(type)
    made = { read: (r) => readBox(box, r), write: (w, value) => writeBox(box, type, w, value as Plain) }
  }
  codecs.set(type, made)
  return made
}

const CONDITION = /^(\w+)\.(\d+)\?(.+)$/

const fieldOf = (name: string, type: string): Field => {
  const condition = CONDITION.exec(type)
  const inner = condition ? condition[3]! : type
  const silent = inner === 'true'
  const { read, write }: Codec = silent ? { read: () => true, write: () => {} } : codecOf(inner)
  return { name, flags: condition?.[1], mask: condition ? 1 << Number(condition[2]) : 0, silent, read, write }
}

/** The plan of a constructor or function of the table. */
export const planOf = (name: string): Plan => {
  const known = plans.get(name)
  if (known) return known
  const entry = constructors[name] ?? functions[name]
  if (!entry) throw new TonlithError('internal', `no TL constructor ${name}`)
  const fields = Object.entries(entry.fields).map(([field, type]) => fieldOf(field, type))
  const plan = { name, id: entry.id, fields }
  plans.set(name, plan)
  return plan
}

/** Every constructor that makes the boxed type, by id. */
export const boxOf = (type: string): ReadonlyMap<number, Plan> => {
  const known = boxes.get(type)
  if (known) return known
  const names = Object.keys(constructors).filter((name) => constructors[name]!.type === type)
  if (names.length === 0) throw new TonlithError('internal', `no TL type ${type}`)
  const box = new Map(names.map((name) => [constructors[name]!.id, planOf(name)]))
  boxes.set(type, box)
  return box
}

/** Every function, by id. */
export const functionBox: ReadonlyMap<number, Plan> = new Map(
  Object.keys(functions).map((name) => [functions[name]!.id, planOf(name)]),
)

/** Reads a plan's fields into `value` and returns it. */
export const readFields = (plan: Plan, r: reader.Reader, value: Plain): Plain => {
  for (const { name, flags, mask, read } of plan.fields) {
    if (flags !== undefined && ((value[flags] as number) & mask) === 0) continue
    value[name] = read(r)
  }
  return value
}

/** Writes a plan's fields. The bits of `mode` decide which conditional fields are written. */
export const writeFields = (plan: Plan, w: writer.Writer, value: Plain): void => {
  for (const { name, flags, mask, silent, write } of plan.fields) {
    if (silent || (flags !== undefined && ((value[flags] as number) & mask) === 0)) continue
    const part = value[name]
    if (part === undefined) throw new TonlithError('invalid', `${plan.name}: field ${name} is missing`)
    write(w, part)
  }
}

/** Reads an id and the object that it announces; the constructor's name stands in `_`. */
export const readBox = (box: ReadonlyMap<number, Plan>, r: reader.Reader): Plain => {
  const id = reader.readId(r)
  const plan = box.get(id)
  if (!plan) throw reader.tlError(`Unknown constructor found 0x${id.toString(16).padStart(8, '0')}`, r.at)
  return readFields(plan, r, { _: plan.name })
}

const writeBox = (box: ReadonlyMap<number, Plan>, type: string, w: writer.Writer, value: Plain): void => {
  const plan = planOf(String(value['_']))
  if (box.get(plan.id) !== plan) throw new TonlithError('invalid', `${plan.name} is no TL ${type}`)
  writeTagged(plan, w, value)
}

/** Writes an id and the fields. */
export const writeTagged = (plan: Plan, w: writer.Writer, value: Plain): void => {
  writer.writeId(w, plan.id)
  writeFields(plan, w, value)
}
