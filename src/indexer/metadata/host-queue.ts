/** What is wanted first: what somebody asked for, what a block just brought, then what was long known. */
export const URGENCIES = ['asked', 'new', 'known'] as const
export type Urgency = (typeof URGENCIES)[number]

export interface QueuedUri {
  uri: string
  host: string
}

/** URIs that wait for their turn. */
export interface HostQueue {
  /** False where there is no room for one more. One that waits already may become more urgent. */
  push(entry: QueuedUri, urgency: Urgency): boolean
  /** The next one whose host may be asked now; undefined where there is none. */
  take(): QueuedUri | undefined
  /** Ends what was taken. A host that does not answer is asked one thing at a time, until it does. */
  done(host: string, answers: boolean): void
  waits(uri: string): boolean
  /** How many wait. */
  size(): number
  /** Whether there is room for what is not urgent. */
  hasRoom(): boolean
}

const PER_HOST = 4
const MAX_WAITING = 20_000
/** Of one host and one urgency. */
const MAX_WAITING_PER_HOST = 256
/** Beyond so many, what was long known is not taken in. */
const MAX_KNOWN = MAX_WAITING / 2
const MAX_SILENT = 10_000

/** Makes a queue in which hosts have turns, so that none of them holds up the others. */
export const createHostQueue = (): HostQueue => {
  const lanes = URGENCIES.map(() => new Map<string, string[]>())
  const waiting = new Map<string, number>()
  const running = new Map<string, number>()
  const silent = new Set<string>()

  const isBusy = (host: string): boolean => (running.get(host) ?? 0) >= (silent.has(host) ? 1 : PER_HOST)

  /** The next URI of a host in a lane; those that were moved to a more urgent lane are passed over. */
  const next = (list: string[], rank: number): string | undefined => {
    for (let uri = list.shift(); uri !== undefined; uri = list.shift()) if (waiting.get(uri) === rank) return uri
    return undefined
  }

  const takeFrom = (lane: Map<string, string[]>, rank: number): QueuedUri | undefined => {
    for (const [host, list] of lane) {
      if (isBusy(host)) continue
      const uri = next(list, rank)
      lane.delete(host)
      if (list.length > 0) lane.set(host, list)
      if (uri !== undefined) return { uri, host }
    }
    return undefined
  }

  return {
    push: ({ uri, host }, urgency) => {
      const rank = URGENCIES.indexOf(urgency)
      const known = waiting.get(uri)
      if (known !== undefined && known <= rank) return true
      if (known === undefined && waiting.size >= (urgency === 'known' ? MAX_KNOWN : MAX_WAITING)) return false
      const lane = lanes[rank]!
      const list = lane.get(host) ?? []
      if (list.length >= MAX_WAITING_PER_HOST) return false
      list.push(uri)
      lane.set(host, list)
      waiting.set(uri, rank)
      return true
    },
    take: () => {
      for (const [rank, lane] of lanes.entries()) {
        const taken = takeFrom(lane, rank)
        if (!taken) continue
        waiting.delete(taken.uri)
        running.set(taken.host, (running.get(taken.host) ?? 0) + 1)
        return taken
      }
      return undefined
    },
    done: (host, answers) => {
      const left = (running.get(host) ?? 1) - 1
      if (left > 0) running.set(host, left)
      else running.delete(host)
      silent.delete(host)
      if (answers) return
      silent.add(host)
      if (silent.size > MAX_SILENT) for (const oldest of silent) return void silent.delete(oldest)
    },
    waits: (uri) => waiting.has(uri),
    size: () => waiting.size,
    hasRoom: () => waiting.size < MAX_KNOWN,
  }
}
