import type { Clock } from '../common/clock.ts'
import { isTonlithError, TonlithError } from '../common/errors.ts'
import { MASTERCHAIN, SHARD_ALL } from '../ton/block-id.ts'
import { decodeAnswer } from '../ton/tl/lite-api.ts'
import { questionBytes } from './bound-query.ts'
import { getMasterchainInfoExt, getTime, lookupBlock } from './client.ts'
import { CONNECTION_DEFAULTS, type Connection, connect, type Endpoint } from './connection.ts'
import { ConnectionError } from './connection-error.ts'
import { isMomentary } from './failures.ts'
import { headOf } from './head.ts'
import type { Query } from './query.ts'
import type { Trust } from './trust.ts'

/** What an examination does, in this order; the first step that fails ends it. */
export type ExaminedStep = 'connect' | 'handshake' | 'time' | 'head' | 'proof' | 'depth'

/** What was found out about one liteserver. What a step would have told is undefined where it was not reached. */
export interface Examination {
  /** `host:port`. */
  name: string
  /** Milliseconds until the handshake was over. */
  connectMs?: number
  /** Milliseconds of the middle one of some small questions. */
  latencyMs?: number
  /** Seconds by which its clock is ahead of ours, as far as whole seconds can tell. */
  clockAhead?: number
  /** Its last masterchain block and that block's time (unix seconds). */
  seqno?: number
  utime?: number
  /** The oldest masterchain block that it finds, and that block's time. */
  oldest?: { seqno: number; utime: number }
  fault?: { step: ExaminedStep; error: TonlithError }
}

export interface ExamineOptions {
  clock: Clock
  trust: Pick<Trust, 'verifyHead' | 'checkPlainLookup'>
  zeroState: Parameters<typeof headOf>[1]
  /** Milliseconds for one question, and for all of them. */
  questionMs: number
  totalMs: number
}

const PINGS = 5
/** A restarting server may hang up on us once; two in a row mean that the key is wrong. */
const KEY_REFUSALS = 2
const FIRST_SEQNO = 1

const open = async (endpoint: Endpoint): Promise<Connection> => {
  for (let refusals = 1; ; refusals++) {
    try {
      return await connect(endpoint, CONNECTION_DEFAULTS)
    } catch (error) {
      if (!(error instanceof ConnectionError) || !error.keyRefused) throw error
      if (refusals < KEY_REFUSALS) continue
      const name = `${endpoint.host}:${endpoint.port}`
      throw new TonlithError('invalid', `liteserver ${name} hangs up on the handshake: it has another key`, {
        cause: error,
      })
    }
  }
}

const queryOver =
  (connection: Connection, questionMs: number, signal: AbortSignal): Query =>
  async (method, args, { wait, timeoutMs } = {}) => {
    const bytes = questionBytes(method, args, { wait })
    return decodeAnswer(method, await connection.query(bytes, { timeoutMs: timeoutMs ?? questionMs, signal }))
  }

/** Round trip and clock: of the fastest of some questions, as that leaves the least room for the time between. */
const measure = async (query: Query, clock: Clock): Promise<{ latencyMs: number; clockAhead: number }> => {
  const samples: { ms: number; ahead: number }[] = []
  for (let i = 0; i < PINGS; i++) {
    const startedAt = clock.monotonic()
    const { now } = await getTime(query)
    const ms = clock.monotonic() - startedAt
    const ours = (clock.now() - ms / 2) / 1000
    samples.push({ ms, ahead: (now >>> 0) + 0.5 - ours })
  }
  samples.sort((a, b) => a.ms - b.ms)
  return { latencyMs: samples[samples.length >> 1]!.ms, clockAhead: Math.round(samples[0]!.ahead) || 0 }
}

type Found = NonNullable<Examination['oldest']>

/** The masterchain block of a seqno, or undefined where the server says that it has none. */
const find = async (query: Query, seqno: number, trust: ExamineOptions['trust']): Promise<Found | undefined> => {
  const id = { workchain: MASTERCHAIN, shard: SHARD_ALL, seqno }
  try {
    const { info } = trust.checkPlainLookup(await lookupBlock(query, id), { mode: 1, id })
    return { seqno, utime: info.gen_utime }
  } catch (error) {
    if (isTonlithError(error, 'liteserver') && !isMomentary(error)) return undefined
    throw error
  }
}

/** The oldest block that is found: a server that has thrown away a block has thrown away all before it. */
const oldestOf = async (query: Query, head: Found, trust: ExamineOptions['trust']): Promise<Found> => {
  const first = head.seqno > FIRST_SEQNO ? await find(query, FIRST_SEQNO, trust) : undefined
  if (first) return first
  let missing = FIRST_SEQNO
  let oldest = head
  while (oldest.seqno - missing > 1) {
    const middle = Math.floor((missing + oldest.seqno) / 2)
    const found = await find(query, middle, trust)
    if (found) oldest = found
    else missing = middle
  }
  return oldest
}

const asTonlithError = (error: unknown): TonlithError =>
  isTonlithError(error) ? error : new TonlithError('internal', String(error), { cause: error })

/**
 * Asks one liteserver what an operator wants to know of it, over a connection of its own. Does not throw: what does not
 * work stands in the answer. Errors of kind `proof` and `malformed` are lies, `invalid` means another key or network.
 */
export const examineServer = async (endpoint: Endpoint, options: ExamineOptions): Promise<Examination> => {
  const { clock, trust, zeroState, questionMs, totalMs } = options
  const found: Examination = { name: `${endpoint.host}:${endpoint.port}` }
  let step: ExaminedStep = 'connect'
  let connection: Connection | undefined
  try {
    const startedAt = clock.monotonic()
    connection = await open(endpoint)
    found.connectMs = clock.monotonic() - startedAt
    const query = queryOver(connection, questionMs, AbortSignal.timeout(totalMs))
    step = 'time'
    Object.assign(found, await measure(query, clock))
    step = 'head'
    const head = headOf(await getMasterchainInfoExt(query), zeroState)
    const known = { seqno: head.id.seqno, utime: head.utime }
    step = 'proof'
    await trust.verifyHead?.(query, head)
    Object.assign(found, known)
    step = 'depth'
    found.oldest = await oldestOf(query, known, trust)
  } catch (cause) {
    const error = asTonlithError(cause)
    found.fault = { step: step === 'connect' ? stageOf(error) : step, error }
  } finally {
    connection?.close()
  }
  return found
}

const stageOf = (error: TonlithError): ExaminedStep => {
  const broken = error instanceof ConnectionError ? error : error.cause
  return broken instanceof ConnectionError && broken.stage === 'handshake' ? 'handshake' : 'connect'
}
