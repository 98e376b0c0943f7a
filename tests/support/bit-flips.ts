/** Copies of a decoded answer that differ from it in one bit, and where. */
export interface Flipped<T> {
  path: string
  value: T
}

/** Bits of a byte string of `length` bytes that are flipped in turn: the ends and some in between, always the same. */
const positions = (length: number, count: number): number[] => {
  const bits = length * 8
  if (bits <= count) return Array.from({ length: bits }, (_, i) => i)
  const chosen = new Set([0, bits - 1])
  for (let i = 1; chosen.size < count; i++) chosen.add((i * 2_654_435_761) % bits)
  return [...chosen]
}

function* flips(value: unknown, path: string, count: number): Generator<Flipped<unknown>> {
  if (Buffer.isBuffer(value)) {
    for (const bit of positions(value.length, count)) {
      const copy = Buffer.from(value)
      copy[bit >> 3]! ^= 128 >> (bit & 7)
      yield { path: `${path} bit ${bit}`, value: copy }
    }
  } else if (typeof value === 'number') yield { path, value: value ^ 1 }
  else if (typeof value === 'bigint') {
    yield { path, value: value ^ 1n }
    yield { path, value: BigInt.asIntN(64, value ^ (1n << 63n)) }
  } else if (typeof value === 'boolean') yield { path, value: !value }
  else if (Array.isArray(value)) {
    for (const [i, each] of value.entries())
      for (const flip of flips(each, `${path}[${i}]`, count))
        yield { path: flip.path, value: value.with(i, flip.value) }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value))
      for (const flip of flips(each, path === '' ? name : `${path}.${name}`, count))
        yield { path: flip.path, value: { ...value, [name]: flip.value } }
  }
}

/**
 * Every part of `value` with one bit flipped, `count` different bits for each byte string. Parts whose path matches
 * `except` are left alone.
 */
export function* bitFlips<T>(value: T, count: number, except?: RegExp): Generator<Flipped<T>> {
  for (const flip of flips(value, '', count)) if (!except?.test(flip.path)) yield flip as Flipped<T>
}
