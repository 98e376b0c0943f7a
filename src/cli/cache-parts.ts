/** Bytes of memory for what was read lately, by who keeps it. Plain data: it crosses to another thread. */
export interface CacheParts {
  /** Reads of the network, of all its chains of one process together. */
  chain: number
  /** Whole answers of the API. */
  answers: number
  /** Rows of the index that were unpacked. */
  index: number
}

const MEBI = 1 << 20

/** Divides the mebibytes of the setting among them. */
export const cacheParts = (mebibytes: number): CacheParts => {
  const quarter = Math.floor((mebibytes * MEBI) / 4)
  return { chain: 2 * quarter, answers: quarter, index: quarter }
}
