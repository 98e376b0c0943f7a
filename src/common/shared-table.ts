/** Numbers by name that several processes change at the same time: a table in memory that all of them have mapped. */
export interface SharedTable {
  /**
   * Puts what `change` makes of the number of a name (0n: none is known) in its place. `change` is called again where
   * another process was faster, so it must do nothing else.
   */
  update(name: string, change: (before: bigint) => bigint): void
}

/** Names that may stand in the same place: the one with the least number gives way to a new one where all are taken. */
const WAYS = 8
/** A name's hash and its number. */
const WORDS = 2
const WORD_BYTES = 8
/** The words before the first entry: the seed of the hashes. */
const HEAD_WORDS = 1

/** Bytes of a table for so many sets of eight names. */
export const sharedTableBytes = (sets: number): number => (HEAD_WORDS + sets * WAYS * WORDS) * WORD_BYTES

/** Makes an empty table of zeros: from a seed of its own, so that nobody can tell which names meet in one place. */
export const seedSharedTable = (memory: BigInt64Array, seed: bigint): void => {
  Atomics.store(memory, 0, BigInt.asIntN(64, seed))
}

/**
 * The table in this memory. A name stands for itself by 64 bits of its hash. Numbers should grow with time, as the least of
 * them are forgotten first. Two processes that meet in the moment when one takes a place can lose one change of it.
 */
export const openSharedTable = (memory: BigInt64Array): SharedTable => {
  const seed = BigInt.asUintN(64, Atomics.load(memory, 0))
  const sets = Math.floor((memory.length - HEAD_WORDS) / (WAYS * WORDS))

  /** Where a name's entry is, or the one that it is to take. */
  const look = (first: number, tag: bigint): { at: number; found: boolean } => {
    let free = first
    let least: bigint | undefined
    for (let at = first; at < first + WAYS * WORDS; at += WORDS) {
      const here = Atomics.load(memory, at)
      if (here === tag) return { at, found: true }
      const number = here === 0n ? -1n : Atomics.load(memory, at + 1)
      if (least !== undefined && number >= least) continue
      least = number
      free = at
    }
    return { at: free, found: false }
  }

  /** The place of a name's number, which it takes where it has none. */
  const placeOf = (name: string): number => {
    const hash = BigInt(Bun.hash.wyhash(name, seed))
    const tag = BigInt.asIntN(64, hash) || 1n
    const first = HEAD_WORDS + Number(hash % BigInt(sets)) * WAYS * WORDS
    for (;;) {
      const { at, found } = look(first, tag)
      if (found) return at + 1
      const before = Atomics.load(memory, at)
      if (before === tag || Atomics.compareExchange(memory, at, before, tag) !== before) continue
      Atomics.store(memory, at + 1, 0n)
      const settled = look(first, tag).at
      if (settled === at) return at + 1
      Atomics.compareExchange(memory, at, tag, 0n)
    }
  }

  return {
    update: (name, change) => {
      const place = placeOf(name)
      for (;;) {
        const before = Atomics.load(memory, place)
        const next = change(before)
        if (next === before || Atomics.compareExchange(memory, place, before, next) === before) return
      }
    },
  }
}
