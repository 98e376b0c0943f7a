import type { Slice } from '../../ton/slice.ts'
import {
  actionList,
  dictionary,
  inReference,
  readAtMost,
  readBits,
  readBool,
  readBytes,
  readInt,
  readReference,
  readRest,
  readText,
  readUint,
} from './primitives.ts'
import type { Constructor, Field, TypeExpr } from './syntax.ts'
import { attempt, type Budget, enter, type Fields, mismatch, type Read, type Value } from './values.ts'

/** Numbers that a record has read and that its later fields depend on. */
type Frame = Record<string, number>
type Scoped = (slice: Slice, budget: Budget, frame: Frame) => Value
type Amount = (frame: Frame) => number
/** What the parameters of a type stand for. */
type Bindings = ReadonlyMap<string, Read | number>

/** A constructor that can be read. */
export interface Readable {
  name: string
  tagBits: number
  tag: number
  /** Reads the constructor from behind its tag. Throws `malformed`. */
  read: Read
}

const NONE: Bindings = new Map()

/** Schemes that can be read. */
export interface Schemes {
  /** The constructors of a type without parameters, in the order of the texts; none of an unknown type. */
  constructors(type: string): readonly Readable[]
  /** Makes ready all that the texts define. Throws SyntaxError. */
  prepare(): void
}

const SIZED = /^(uint|int|bits)(\d+)$/
const SIZED_READS = { uint: readUint, int: readInt, bits: readBits } as const
const FIXED: Readonly<Record<string, Read>> = {
  Bool: readBool,
  Cell: readRest,
  Any: readRest,
  Text: readText,
  Bytes: readBytes,
}

const OPERATIONS: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '*': (left, right) => left * right,
  '.': (left, right) => Math.floor(left / 2 ** right) % 2,
  '=': (left, right) => Number(left === right),
  '<': (left, right) => Number(left < right),
  '<=': (left, right) => Number(left <= right),
  '>': (left, right) => Number(left > right),
  '>=': (left, right) => Number(left >= right),
}

/** The names that expressions of a record use. */
const namesUsed = (fields: readonly Field[]): Set<string> => {
  const names = new Set<string>()
  const visit = (type: TypeExpr): void => {
    if (type.kind === 'name') {
      names.add(type.name)
      type.args.forEach(visit)
    } else if (type.kind === 'ref') visit(type.of)
    else if (type.kind === 'record') type.fields.forEach(visitField)
    else if (type.kind === 'conditional') {
      visit(type.test)
      visit(type.of)
    } else if (type.kind === 'operation') {
      visit(type.left)
      visit(type.right)
    }
  }
  const visitField = (field: Field): void => {
    if (field.kind === 'field') visit(field.type)
    else if (field.kind === 'constraint') visit(field.test)
  }
  fields.forEach(visitField)
  return names
}

const tagMatches = (slice: Slice, { tagBits, tag }: Readable): boolean =>
  tagBits === 0 || (slice.remainingBits >= tagBits && slice.preloadUint(tagBits) === tag)

/** Reads the first of the constructors that fits. */
const anyOf = (constructors: readonly Readable[]): Read => {
  const isLast = (slice: Slice, at: number): boolean => {
    for (let i = at + 1; i < constructors.length; i++) if (tagMatches(slice, constructors[i]!)) return false
    return true
  }
  return (slice, budget) => {
    for (let i = 0; i < constructors.length; i++) {
      const each = constructors[i]!
      if (!tagMatches(slice, each)) continue
      if (isLast(slice, i)) return each.read(each.tagBits === 0 ? slice : slice.skip(each.tagBits), budget)
      const value = attempt((inner) => each.read(inner.skip(each.tagBits), budget), slice, budget)
      if (value !== undefined) return value
    }
    throw mismatch('no constructor fits')
  }
}

/** Types that the texts use and that are read by other means, with `^X` for how a reference to X is read. */
export type OtherReads = Readonly<Record<string, Read>>

/**
 * Makes readers of TL-B constructors. `others` gets the reader of a type of the texts. A type is made ready when it is first
 * read. Throws SyntaxError for a type that nothing defines.
 */
export const compileSchemes = (
  parsed: readonly Constructor[],
  others: (typed: (type: string) => Read) => OtherReads,
): Schemes => {
  const byType = Map.groupBy(parsed, ({ type }) => type)
  const made = new Map<string, Read>()
  const pending = new Set<() => Read>()

  /** A reader that is made when it is first used, so that types can hold each other. */
  const lazily = (make: () => Read): Read => {
    let read: Read | undefined
    const once = (): Read => {
      pending.delete(once)
      read ??= make()
      return read
    }
    pending.add(once)
    return (slice, budget) => (read ?? once())(slice, budget)
  }

  const amount = (type: TypeExpr, bindings: Bindings): Amount => {
    if (type.kind === 'number') return () => type.value
    if (type.kind === 'operation') {
      const operation = OPERATIONS[type.operator]!
      const [left, right] = [amount(type.left, bindings), amount(type.right, bindings)]
      return (frame) => operation(left(frame), right(frame))
    }
    if (type.kind !== 'name') throw new SyntaxError('TL-B: a number is expected')
    const { name } = type
    const bound = bindings.get(name)
    if (typeof bound === 'number') return () => bound
    return (frame) => {
      const value = frame[name]
      if (value === undefined) throw mismatch(`no number ${name}`)
      return value
    }
  }

  const fixed = (type: TypeExpr, bindings: Bindings): number => amount(type, bindings)({})

  /** A type in whose place nothing of the record around it counts. */
  const whole = (type: TypeExpr, bindings: Bindings): Read => {
    const read = scoped(type, bindings)
    return (slice, budget) => read(slice, budget, {})
  }

  const sized = (name: string, args: readonly TypeExpr[], bindings: Bindings): Scoped | undefined => {
    const match = SIZED.exec(name)
    if (match) {
      const read = SIZED_READS[match[1] as keyof typeof SIZED_READS]
      const bits = Number(match[2])
      return (slice) => read(slice, bits)
    }
    const [first] = args
    if (!first) return undefined
    const bits = (read: (slice: Slice, bits: number) => Value): Scoped => {
      const width = amount(first, bindings)
      return (slice, _, frame) => read(slice, width(frame))
    }
    switch (name) {
      case '##':
      case 'uint':
        return bits(readUint)
      case 'int':
        return bits(readInt)
      case 'bits':
        return bits(readBits)
      case '#<=':
        return bits(readAtMost)
      case '#<':
        return bits((slice, n) => readAtMost(slice, n - 1))
      default:
        return undefined
    }
  }

  const named = (name: string, args: readonly TypeExpr[], bindings: Bindings): Read => {
    const constructors = byType.get(name)
    if (!constructors) throw new SyntaxError(`TL-B: nothing defines ${name}`)
    const make = (): Read => {
      const values = args.map((arg) => (arg.kind === 'number' ? arg.value : boundOrWhole(arg, bindings)))
      return anyOf(constructors.map((each) => readable(each, values)))
    }
    const uses = (arg: TypeExpr): boolean =>
      [...namesUsed([{ kind: 'constraint', test: arg }])].some((n) => bindings.has(n))
    if (args.some(uses)) return lazily(make)
    return made.getOrInsertComputed(JSON.stringify([name, args]), () => lazily(make))
  }

  const boundOrWhole = (type: TypeExpr, bindings: Bindings): Read | number =>
    (type.kind === 'name' && type.args.length === 0 ? bindings.get(type.name) : undefined) ?? whole(type, bindings)

  const scoped = (type: TypeExpr, bindings: Bindings): Scoped => {
    switch (type.kind) {
      case 'ref':
        return type.of.kind === 'name' && (type.of.name === 'Cell' || type.of.name === 'Any')
          ? readReference
          : reference(type.of, bindings)
      case 'record':
        return record('', type.fields, bindings)
      case 'conditional': {
        const test = amount(type.test, bindings)
        const read = scoped(type.of, bindings)
        return (slice, budget, frame) => (test(frame) === 0 ? undefined : read(slice, budget, frame))
      }
      case 'name': {
        const { name, args } = type
        const bound = bindings.get(name)
        if (typeof bound === 'function') return bound
        if (name === 'HashmapE') return dictionary(fixed(args[0]!, bindings), whole(args[1]!, bindings))
        if (name === 'ActionList') return actionList(whole(args[0]!, bindings))
        return FIXED[name] ?? reads[name] ?? sized(name, args, bindings) ?? named(name, args, bindings)
      }
      default:
        throw new SyntaxError('TL-B: a type is expected')
    }
  }

  /** ^X. What is read by other means opens the reference itself. */
  const reference = (of: TypeExpr, bindings: Bindings): Scoped =>
    (of.kind === 'name' ? reads[`^${of.name}`] : undefined) ?? inReference(whole(of, bindings))

  const record = (name: string, fields: readonly Field[], bindings: Bindings): Read => {
    const used = namesUsed(fields)
    const steps = fields.flatMap((field) => step(field, used, bindings))
    return (slice, budget) => {
      enter(budget)
      const value: Fields = name === '' ? {} : { '@type': name }
      const frame: Frame = {}
      for (const each of steps) each(slice, budget, frame, value)
      budget.nesting--
      return value
    }
  }

  type Step = (slice: Slice, budget: Budget, frame: Frame, value: Fields) => void

  const step = (field: Field, used: ReadonlySet<string>, bindings: Bindings): Step[] => {
    if (field.kind === 'parameter') return []
    if (field.kind === 'constraint') {
      const test = amount(field.test, bindings)
      return [
        (_, __, frame) => {
          if (test(frame) === 0) throw mismatch('a constraint does not hold')
        },
      ]
    }
    const key = field.name === '_' ? '' : field.name
    const read = scoped(field.type, bindings)
    const counts = used.has(field.name)
    return [
      (slice, budget, frame, value) => {
        const found = read(slice, budget, frame)
        if (found === undefined) return
        value[key] = found
        if (counts) frame[key] = Number(found)
      },
    ]
  }

  const readable = (
    { name, tagBits, tag, fields, args }: Constructor,
    values: readonly (Read | number)[],
  ): Readable => {
    const bindings = new Map<string, Read | number>()
    args.forEach((arg, i) => {
      const value = values[i]
      if (arg.kind === 'name' && value !== undefined) bindings.set(arg.name, value)
    })
    return { name, tagBits, tag, read: record(name, fields, bindings) }
  }

  const reads = others((type) => named(type, [], NONE))

  return {
    constructors: (type) =>
      (byType.get(type) ?? []).map((each) => {
        const { name, tagBits, tag } = each
        return { name, tagBits, tag, read: lazily(() => readable(each, []).read) }
      }),
    prepare: () => {
      for (const make of pending) make()
    },
  }
}
