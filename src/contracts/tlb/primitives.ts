import { sliceToCell } from '../../ton/builder.ts'
import { dictEntries } from '../../ton/dictionary.ts'
import { beginParse, type Slice } from '../../ton/slice.ts'
import { readSnake } from '../../ton/snake.ts'
import { type Budget, charge, enter, type Fields, mismatch, type Read, type Value } from './values.ts'

const MAX_INT_BITS = 257
const MAX_BITS = 1023
/** Bytes of a text or of a run of bytes: one cell can stand in a chain many times. */
const MAX_SNAKE_BYTES = 1 << 16
/** Records that a cell of a text, an entry of a dictionary and a rest of a slice count as. */
const LINK_COST = 2
const ENTRY_COST = 2
const REST_COST = 8

const utf8 = new TextDecoder()

const checkBits = (bits: number, max: number): number => {
  if (!(bits >= 0 && bits <= max)) throw mismatch('bad width')
  return bits
}

/** (uint n), (## n) and uintN. */
export const readUint = (slice: Slice, bits: number): bigint => slice.uintBig(checkBits(bits, MAX_INT_BITS))
/** (int n) and intN. */
export const readInt = (slice: Slice, bits: number): bigint => slice.intBig(checkBits(bits, MAX_INT_BITS))
/** (bits n) and bitsN. */
export const readBits = (slice: Slice, bits: number): Value => slice.bits(checkBits(bits, MAX_BITS))

/** (#<= n). Throws `malformed` for a greater one. */
export const readAtMost = (slice: Slice, max: number): bigint => {
  const value = slice.uint(max > 0 ? 32 - Math.clz32(max) : 0)
  if (value > max) throw mismatch('number too large')
  return BigInt(value)
}

export const readBool: Read = (slice) => slice.bit()

const drain = (slice: Slice): void => {
  slice.skip(slice.remainingBits).skipRefs(slice.remainingRefs)
}

/** Cell and Any in line: what is left of a slice, as a cell. */
export const readRest: Read = (slice, budget) => {
  charge(budget, REST_COST)
  const cell = sliceToCell(slice)
  drain(slice)
  return cell
}

const snake = (slice: Slice, budget: Budget): Buffer => {
  for (let last = slice; last.remainingRefs > 0; ) {
    charge(budget, LINK_COST)
    last = beginParse(last.preloadRef())
  }
  const bytes = readSnake(slice)
  if (bytes === undefined || bytes.length > MAX_SNAKE_BYTES) throw mismatch('no text')
  drain(slice)
  return bytes
}

/** Text: a snake of bytes in UTF-8 up to the end. Bytes that are no UTF-8 become U+FFFD. */
export const readText: Read = (slice, budget) => utf8.decode(snake(slice, budget))

/** Bytes: a snake of bytes up to the end. */
export const readBytes: Read = (slice, budget) => {
  const bytes = snake(slice, budget)
  return { bytes, length: bytes.length * 8 }
}

/** Entries of a dictionary in the order of their keys, each with its key as bits. */
const entriesOf =
  (
    keyBits: number,
    value: Read,
  ): ((root: Parameters<typeof dictEntries>[0], ...rest: [Parameters<Read>[1]]) => Value) =>
  (root, budget) => {
    const entries: Fields[] = []
    for (const [key, slice] of dictEntries(root, keyBits)) {
      charge(budget, ENTRY_COST)
      enter(budget)
      entries.push({ key: { bytes: key, length: keyBits }, value: value(slice, budget) })
      budget.nesting--
    }
    return entries
  }

/** (HashmapE n X). */
export const dictionary = (keyBits: number, value: Read): Read => {
  const entries = entriesOf(keyBits, value)
  return (slice, budget) => {
    const root = slice.maybeRef()
    return root ? { '@type': 'hashmap_root', entries: entries(root, budget) } : { '@type': 'hashmap_empty' }
  }
}

/** ^X: all of the next reference. */
export const inReference =
  (of: Read): Read =>
  (slice, budget) => {
    const inner = beginParse(slice.ref())
    const value = of(inner, budget)
    inner.expectEnd()
    return value
  }

/** ^Cell: the next reference as it is. */
export const readReference: Read = (slice) => slice.ref()

/** OutList n of an action list whose length stands nowhere else: its actions in the order of their execution. */
export const actionList =
  (action: Read): Read =>
  (slice, budget) => {
    const actions: Value[] = []
    let link = slice
    while (link.remainingRefs > 0 || link.remainingBits > 0) {
      enter(budget)
      const previous = link.ref()
      actions.push(action(link, budget))
      link.expectEnd()
      budget.nesting--
      link = beginParse(previous)
    }
    return actions.reverse()
  }
