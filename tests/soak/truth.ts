import type { BlockIdExt } from '../../src/ton/block-id.ts'
import type { Ledger } from './ledger.ts'

/** An answer of an API, read. */
export interface Answer {
  status: number
  headers: Headers
  body: unknown
}

/** What answers are compared with: the chain itself, and what is told of it where no fault is. */
export interface Truth {
  ledger: Ledger
  /** The result of a call of API v2 at the network's own gateway, which asks its liteserver directly. */
  reference(path: string, body?: unknown): Promise<unknown>
}

/** A block as the APIs name it. */
export interface NamedBlock {
  workchain: number
  shard: string
  seqno: number
  root_hash: string
  file_hash: string
}

/** Whether a masterchain block that an answer names is on the chain; text says what is wrong. */
export const checkMasterchainBlock = async ({ ledger }: Truth, named: NamedBlock): Promise<string | undefined> => {
  if (named.workchain !== -1) return `block ${JSON.stringify(named)} is none of the masterchain`
  if (!(await ledger.reached(named.seqno))) return `block ${named.seqno} is not on the chain`
  return isSame(ledger.masterchain(named.seqno)!.id, named) ? undefined : `block ${named.seqno} is another one`
}

const isSame = (id: BlockIdExt, named: NamedBlock): boolean =>
  id.root_hash.toString('base64') === named.root_hash && id.file_hash.toString('base64') === named.file_hash

/** Compares two readings, without what tells when they were made; text shows both. */
export const compare = (found: unknown, wanted: unknown): string | undefined =>
  Bun.deepEquals(timeless(found), timeless(wanted))
    ? undefined
    : `found ${shown(timeless(found))}, wanted ${shown(timeless(wanted))}`

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 600)

const TIMES = ['@extra', 'sync_utime']

const timeless = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(timeless)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !TIMES.includes(name))
      .map(([name, each]) => [name, timeless(each)]),
  )
}
