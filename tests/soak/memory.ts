import { readFileSync } from 'node:fs'

/** What a process takes at a moment, in bytes. */
export interface MemorySample {
  /** Seconds since the process began to be watched. */
  at: number
  /** Resident pages that are nobody else's and no file's: what can leak. */
  anonymous: number
  /** All resident pages, of the mapped files of its stores too. */
  resident: number
}

export interface MemoryVerdict {
  /** Seconds of the samples behind the warm-up. */
  seconds: number
  /** Medians of the first and the last fifth of these samples. */
  first: number
  last: number
  /** Bytes a minute of the anonymous pages: the median slope between samples that lie half of the time apart. */
  perMinute: number
  /** Most resident bytes at any time. */
  most: number
}

const FIELDS = /^(RssAnon|VmRSS):\s+(\d+) kB$/gm

/** Reads the memory of a process; undefined where there is no /proc, or no such process. */
export const readMemory = (pid: number): Omit<MemorySample, 'at'> | undefined => {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return undefined
  }
  const found = new Map([...text.matchAll(FIELDS)].map(([, name, kib]) => [name, Number(kib) * 1024]))
  const [anonymous, resident] = [found.get('RssAnon'), found.get('VmRSS')]
  return anonymous === undefined || resident === undefined ? undefined : { anonymous, resident }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Tells from samples in the order of time whether memory grew; undefined where they are too few behind the warm-up. */
export const judgeMemory = (samples: readonly MemorySample[], warmUpSeconds: number): MemoryVerdict | undefined => {
  const warm = samples.filter(({ at }) => at >= warmUpSeconds)
  if (warm.length < 20) return undefined
  const fifth = Math.floor(warm.length / 5)
  const half = warm.length >> 1
  const slopes = warm.slice(half).map((later, i) => {
    const earlier = warm[i]!
    return ((later.anonymous - earlier.anonymous) / (later.at - earlier.at)) * 60
  })
  return {
    seconds: warm.at(-1)!.at - warm[0]!.at,
    first: median(warm.slice(0, fifth).map(({ anonymous }) => anonymous)),
    last: median(warm.slice(-fifth).map(({ anonymous }) => anonymous)),
    perMinute: median(slopes),
    most: Math.max(...samples.map(({ resident }) => resident)),
  }
}

/** What the collector of a warm process leaves lying about, now more and now less. */
const NOISE = { times: 1.25, bytes: 16 << 20 }
/** Over so many seconds less growth than that is seen, as the slope says whether it goes on. */
const LONG = { seconds: 450, times: 1.1, perMinute: 2 << 20 }

/** Whether memory grew by more than noise. */
export const isGrowing = ({ seconds, first, last, perMinute }: MemoryVerdict): boolean =>
  last > first * NOISE.times + NOISE.bytes ||
  (seconds >= LONG.seconds && last > first * LONG.times && perMinute > LONG.perMinute)

/** The verdict on the longest of several lives. */
export const judgeLives = (
  lives: readonly (readonly MemorySample[])[],
  warmUpSeconds: number,
): MemoryVerdict | undefined =>
  lives
    .map((samples) => judgeMemory(samples, warmUpSeconds))
    .filter((verdict) => verdict !== undefined)
    .sort((a, b) => b.seconds - a.seconds)
    .at(0)
