import { freshRead } from './questions.ts'

/** What tells whether the gateway is well. */
export interface Prober {
  /** Measures for a while what is usual. */
  settle(ms: number): Promise<void>
  /** Looks until all is well, several times in a row; gives when that began, in milliseconds from the call. */
  untilWell(patienceMs: number): Promise<{ ms: number | undefined; missing: string | undefined }>
  usualMs(): number
}

export interface ProberOptions {
  url: string
  /** How far heads and index come on this machine where no fault is: what the network's own gateway tells. */
  usualHeads: () => Promise<{ live: number; indexed: number }>
  /** An account with transactions. */
  account: () => string
  random: () => number
  /** Blocks that an answer may be behind the chain. */
  blocks: number
}

const ROUNDS = 3
const LOOK_MS = 100
const PROBE_MS = 2_000
/** An answer that takes so many times as long as usual is late, but none below the floor. */
const LATE_TIMES = 5
const FLOOR_MS = 500

export const createProber = ({ url, usualHeads, account, random, blocks }: ProberOptions): Prober => {
  let usual = FLOOR_MS / LATE_TIMES

  const timed = async (path: string): Promise<{ ms: number; response: Response; body: unknown } | string> => {
    const before = performance.now()
    try {
      const response = await fetch(url + path, { signal: AbortSignal.timeout(PROBE_MS) })
      const body: unknown = await response.json()
      if (response.status !== 200) return `${response.status} ${(body as { error?: string }).error}`
      return { ms: performance.now() - before, response, body }
    } catch (error) {
      return String(error)
    }
  }

  const probe = async (): Promise<{ ms: number; missing: string | undefined }> => {
    const usually = await usualHeads()
    const [live, indexed] = await Promise.all([
      timed(freshRead(random)),
      timed(`/api/v3/transactions?account=${account()}&limit=5`),
    ])
    if (typeof live === 'string') return { ms: PROBE_MS, missing: `v2: ${live}` }
    if (typeof indexed === 'string') return { ms: PROBE_MS, missing: `v3: ${indexed}` }
    const ms = Math.max(live.ms, indexed.ms)
    const { seqno } = (live.body as { result: { block_id: { seqno: number } } }).result.block_id
    const ofIndex = Number(indexed.response.headers.get('x-index-seqno'))
    if (seqno < usually.live - blocks) return { ms, missing: `v2 is ${usually.live - seqno} blocks behind` }
    if (ofIndex < usually.indexed - blocks)
      return { ms, missing: `the index is ${usually.indexed - ofIndex} blocks behind` }
    return { ms, missing: ms > Math.max(FLOOR_MS, LATE_TIMES * usual) ? `answers take ${ms | 0} ms` : undefined }
  }

  return {
    usualMs: () => usual,
    async settle(ms) {
      const end = performance.now() + ms
      const seen: number[] = []
      while (performance.now() < end) {
        seen.push((await probe()).ms)
        await Bun.sleep(LOOK_MS)
      }
      usual = seen.sort((a, b) => a - b)[Math.floor(seen.length * 0.9)] ?? usual
    },
    async untilWell(patienceMs) {
      const start = performance.now()
      let since: number | undefined
      let well = 0
      const missed = new Map<string, number>()
      const missing = (): string | undefined =>
        missed.size === 0 ? undefined : [...missed].map(([what, ms]) => `${what} until ${ms} ms`).join(', ')
      while (performance.now() - start < patienceMs) {
        const at = performance.now() - start
        const found = await probe()
        if (found.missing === undefined) {
          since ??= at
          if (++well >= ROUNDS) return { ms: Math.round(since), missing: missing() }
        } else {
          missed.set(
            found.missing.replace(/\d+ blocks/, 'some blocks').replace(/ \d+ ms/, ' long'),
            Math.round(performance.now() - start),
          )
          since = undefined
          well = 0
        }
        await Bun.sleep(LOOK_MS)
      }
      return { ms: undefined, missing: missing() }
    },
  }
}
