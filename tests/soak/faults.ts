/** Where a fault strikes: liteservers, the machine under the gateway, the gateway itself, the chain. */
export type FaultPlace = 'servers' | 'machine' | 'gateway' | 'chain'

/** One kind of fault, as data: what it does stands in `inject.ts` under its name. */
export interface FaultKind {
  name: string
  place: FaultPlace
  /** Milliseconds that it lasts: from, to. Zero where it is over at once. */
  lasts: readonly [number, number]
  /** It begins a new life of the gateway, so that its memory is counted anew. */
  restarts?: true
}

/** Every fault that the soak knows. */
export const FAULTS = [
  { name: 'delay', place: 'servers', lasts: [4_000, 9_000] },
  { name: 'drip', place: 'servers', lasts: [3_000, 7_000] },
  { name: 'cut', place: 'servers', lasts: [4_000, 9_000] },
  { name: 'gone', place: 'servers', lasts: [2_000, 9_000] },
  { name: 'flicker', place: 'servers', lasts: [3_000, 8_000] },
  { name: 'garbage', place: 'servers', lasts: [4_000, 9_000] },
  { name: 'garbage packets', place: 'servers', lasts: [4_000, 9_000] },
  { name: 'silence', place: 'servers', lasts: [3_000, 12_000] },
  { name: 'no handshake', place: 'servers', lasts: [3_000, 8_000] },
  { name: 'errors', place: 'servers', lasts: [3_000, 8_000] },
  { name: 'not ready', place: 'servers', lasts: [3_000, 8_000] },
  { name: 'old head', place: 'servers', lasts: [4_000, 12_000] },
  { name: 'lies about anything', place: 'servers', lasts: [4_000, 9_000] },
  { name: 'lies about heads', place: 'servers', lasts: [4_000, 9_000] },
  { name: 'answers to others', place: 'servers', lasts: [4_000, 9_000] },
  { name: 'another chain', place: 'servers', lasts: [4_000, 9_000] },
  { name: 'clock ahead', place: 'machine', lasts: [3_000, 8_000] },
  { name: 'clock back', place: 'machine', lasts: [3_000, 8_000] },
  { name: 'disk full', place: 'machine', lasts: [3_000, 10_000] },
  { name: 'chain time', place: 'chain', lasts: [0, 0] },
  { name: 'SIGKILL', place: 'gateway', lasts: [0, 3_000], restarts: true },
  { name: 'SIGTERM', place: 'gateway', lasts: [0, 3_000], restarts: true },
] as const satisfies readonly FaultKind[]

export type FaultName = (typeof FAULTS)[number]['name']

/** A fault of the schedule: when it begins after the start of the schedule, how long it lasts, and whom it strikes. */
export interface ScheduledFault {
  fault: FaultName
  place: FaultPlace
  atMs: number
  lastsMs: number
  /** Indices of liteservers; empty unless it strikes these. */
  servers: readonly number[]
  /** Seed of what is drawn while it lasts. */
  seed: number
}
