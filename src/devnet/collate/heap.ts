/** A queue that gives its least item first. */
export interface Heap<T> {
  readonly size: number
  push(item: T): void
  pop(): T | undefined
}

/** A binary heap; `compare` is negative where its first argument comes first. */
export const createHeap = <T>(compare: (a: T, b: T) => number): Heap<T> => {
  const items: T[] = []
  const swap = (a: number, b: number): void => {
    const item = items[a]!
    items[a] = items[b]!
    items[b] = item
  }
  const rise = (from: number): void => {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1
      if (compare(items[at]!, items[parent]!) >= 0) return
      swap(at, parent)
      at = parent
    }
  }
  const sink = (): void => {
    for (let at = 0; ; ) {
      let least = at
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < items.length && compare(items[child]!, items[least]!) < 0) least = child
      if (least === at) return
      swap(at, least)
      at = least
    }
  }
  return {
    get size() {
      return items.length
    },
    push: (item) => {
      items.push(item)
      rise(items.length - 1)
    },
    pop: () => {
      const first = items[0]
      const last = items.pop()
      if (items.length > 0) {
        items[0] = last!
        sink()
      }
      return first
    },
  }
}
