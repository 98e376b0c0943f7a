import fc from 'fast-check'
import { isJsonObject, type Json, parseJson } from '../../src/common/lossless-json.ts'
import { seededRandom } from '../../src/common/seeded-random.ts'
import { oddIndexRequest } from '../support/odd-index-requests.ts'
import { oddRequest, writtenForms } from '../support/odd-requests.ts'
import { untilReady } from '../support/ready.ts'
import { metric } from './metric.ts'
import { startProgram } from './program.ts'
import { figure, type Row } from './table.ts'

const CONNECTIONS = 8
const WARM = 10_000
/** Odd requests that are made at a time; each is sent in V2_FORMS ways, beside one of API v3. */
const CHUNK = 1_000
const V2_FORMS = 4
const FORMS = V2_FORMS + 1
const BATCH_CALLS = 8
const MEBI = 1 << 20

interface Sent {
  path: string
  body?: string
}

/** One place of the text is another character, missing, or the end of it. */
const mutated = (text: string, random: () => number): string => {
  const at = Math.floor(random() * text.length)
  const kind = Math.floor(random() * 3)
  if (kind === 0) return text.slice(0, at)
  return `${text.slice(0, at)}${kind === 1 ? String.fromCharCode(random() * 256) : ''}${text.slice(at + 1)}`
}

/**
 * `CHUNK * FORMS` requests: GET, POST, JSON-RPC or a batch in turn of each call, one of these bodies broken, and a request
 * of API v3.
 */
const requestsOf = (seed: number): Sent[] => {
  const random = seededRandom(seed)
  const forms = fc
    .sample(oddRequest, { seed, numRuns: CHUNK })
    .map((request) => ({ ...request, ...writtenForms(request) }))
  const ofIndex = fc.sample(oddIndexRequest, { seed, numRuns: CHUNK })
  return forms.flatMap(({ name, query, body, call }, n) => {
    const asked = ofIndex[n]!
    const path = `/api/v2/${name}`
    const batch = forms.slice(n, n + BATCH_CALLS).map((each) => each.call)
    const rpc = n % BATCH_CALLS === 0 ? `[${batch.join(',')}]` : call
    return [
      { path: `${path}?${query}` },
      { path, body },
      { path: '/api/v2/jsonRPC', body: rpc },
      { path: random() < 0.5 ? path : '/api/v2/jsonRPC', body: mutated(random() < 0.5 ? body : rpc, random) },
      { ...asked, path: `/api/v3/${asked.path}` },
    ]
  })
}

/** Failures of 500 and more that are not ours: a liteserver's, and two of the wire's own, 542 and what tonlib says. */
const TOLD = /^(LITE_SERVER|Unsupported stack entry type: |from mc block is too old$)/

/** What is wrong with an answer of API v3. */
const v3FaultOf = (answer: Json, status: number): string | undefined => {
  if (status === 200) return undefined
  const told = isJsonObject(answer) ? answer : {}
  const isTold = typeof told['error'] === 'string' && Number(told['code']) === status
  return isTold && status < 500 ? undefined : `API v3: status ${status}: ${told['error']}`
}

/** What is wrong with one answer. */
const faultOf = (answer: Json, status: number, path: string): string | undefined => {
  if (path.startsWith('/api/v3/')) return v3FaultOf(answer, status)
  if (!isJsonObject(answer)) return 'no envelope'
  const { ok, code, error } = answer
  if (ok !== (status === 200) || (ok === false && Number(code) !== status)) return 'ok and code do not fit the status'
  if (ok === false && typeof error !== 'string') return 'no text of the error'
  return status >= 500 && !TOLD.test(String(error)) ? `status ${status}: ${error}` : undefined
}

const statusOf = (answer: Json): number =>
  isJsonObject(answer) && answer['ok'] === true ? 200 : Number(isJsonObject(answer) && answer['code'])

/**
 * `npm run bench fuzz [SEED] [REQUESTS]`: odd and broken requests to every method of API v2 and v3 of the compiled binary over HTTP, with
 * what became of them; the seed is printed. Throws at the end when an answer had no envelope or told of a failure of the
 * gateway's own.
 */
export const benchFuzz = async (seed = Math.floor(Math.random() * 2 ** 31), requests = 100_000): Promise<Row[]> => {
  console.log(`seed ${seed}`)
  const program = await startProgram('--log-level', 'error')
  const statuses = new Map<number, number>()
  const faults = new Map<string, string>()
  const count = (answer: Json, status: number, sent: Sent): void => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const fault = faultOf(answer, status, sent.path)
    if (fault !== undefined && !faults.has(fault)) faults.set(fault, `${sent.path} ${sent.body ?? ''}`.slice(0, 1_000))
  }
  const ask = async (sent: Sent): Promise<void> => {
    const post = sent.body !== undefined && { method: 'POST', body: sent.body }
    const response = await fetch(`http://127.0.0.1:${program.port}${sent.path}`, post || {})
    const text = await response.text()
    let answer: Json
    try {
      answer = parseJson(text)
    } catch {
      faults.set(`status ${response.status} without JSON`, `${sent.path} ${sent.body ?? ''}`.slice(0, 1_000))
      return
    }
    if (!Array.isArray(answer) || sent.path.startsWith('/api/v3/')) return count(answer, response.status, sent)
    for (const each of answer) count(each, statusOf(each), sent)
  }
  try {
    const [rss, delay] = ['tonlith_process_resident_memory_bytes', 'tonlith_event_loop_delay_seconds{quantile="1"}']
    await untilReady(`http://127.0.0.1:${program.port}`)
    await metric(program.port, delay)
    let worst = 0
    let late = 0
    let few = Number.NaN
    const rounds = Math.ceil(requests / (CHUNK * FORMS))
    for (let round = 0; round < rounds; round++) {
      const left = requestsOf(seed + round)
      const lane = async (): Promise<void> => {
        for (let sent = left.pop(); sent; sent = left.pop()) await ask(sent)
      }
      await Promise.all(Array.from({ length: CONNECTIONS }, lane))
      const longest = await metric(program.port, delay)
      worst = Math.max(worst, longest)
      if (longest > 0.05) late++
      if (Number.isNaN(few) && (round + 1) * CHUNK * FORMS >= WARM) few = await metric(program.port, rss)
    }
    const many = await metric(program.port, rss)
    for (const [fault, sent] of faults) console.log(`${fault}: ${sent}`)
    if (faults.size > 0) throw new Error(`${faults.size} kinds of answers that must not be`)
    const total = requests.toLocaleString('en-US')
    return [
      {
        what: `${total} odd requests, seed ${seed}`,
        ours: [...statuses]
          .sort(([a], [b]) => a - b)
          .map(([status, n]) => `${status}: ${n}`)
          .join(', '),
      },
      {
        what: `memory after ${total} odd requests`,
        ours: figure(many / MEBI, 'MiB'),
        beside: `after ${WARM.toLocaleString('en-US')}: ${figure(few / MEBI, 'MiB')}`,
        ratio: `${(many / few).toFixed(2)}x`,
      },
      {
        what: 'longest that the event loop was late',
        ours: figure(worst * 1000, 'ms'),
        beside: `over 50 ms in ${late} of ${rounds} rounds`,
      },
    ]
  } finally {
    await program.stop()
  }
}
