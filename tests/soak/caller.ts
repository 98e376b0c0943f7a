import type { Stage } from './stage.ts'
import type { Answer } from './truth.ts'

/** Asks the gateway, and notes what comes: an answer, an honest error, or what must not be. */
export interface Caller {
  /** The answer where it is no error. @param name its kind */
  ask(name: string, path: string, options?: AskOptions): Promise<Answer | undefined>
}

export interface AskOptions {
  body?: unknown
  headers?: Record<string, string>
  /** Statuses that are an answer and no failure, beside 200. */
  also?: readonly number[]
  /** Judges the answer; gives what is wrong. */
  judge?: (answer: Answer) => Promise<string | undefined>
}

export interface CallerOptions {
  url: string
  stage: Stage
  requestMs: number
  isUp: () => boolean
  fail: (what: string) => void
  /** For what may be the machine's fault, where that had no time for us. */
  failInTime: (what: string) => void
  /** Milliseconds of a right answer, in calm. */
  observe: (name: string, ms: number) => void
}

/** How much later than its own limit an answer may come on a machine that does other things too. */
const SLACK_MS = 3_000
/** What the gateway says when it cannot know better; with 500 what a liteserver itself said, or that it lied. */
const HONEST = [502, 503, 504]
const HONEST_500 = /^LITE_SERVER_|^the answer of the liteserver cannot be used$/

const isHonest = (status: number, error: string): boolean =>
  HONEST.includes(status) || (status === 500 && HONEST_500.test(error))

/** The error of an answer, when it has the form of its API; undefined where it has none. */
const errorOf = (path: string, { status, body }: Answer): string | undefined => {
  if (typeof body !== 'object' || body === null) return undefined
  const { ok, error, code } = body as { ok?: unknown; error?: unknown; code?: unknown }
  if (typeof error !== 'string') return undefined
  if (path.startsWith('/api/v2') && ok !== false) return undefined
  return code === status ? error : undefined
}

export const createCaller = ({ url, stage, requestMs, isUp, fail, failInTime, observe }: CallerOptions): Caller => ({
  async ask(name, path, { body, headers = {}, also = [], judge } = {}) {
    const mark = stage.mark()
    const wasUp = isUp()
    const before = performance.now()
    const passed = (): number => performance.now() - before
    const init: RequestInit = {
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      signal: AbortSignal.timeout(requestMs + SLACK_MS),
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    }
    let answer: Answer
    let text: string
    try {
      const response = await fetch(url + path, init)
      text = await response.text()
      answer = { status: response.status, headers: response.headers, body: undefined }
    } catch (error) {
      const ms = passed()
      if (error instanceof DOMException && error.name === 'TimeoutError')
        failInTime(`${name}: no answer within ${ms | 0} ms (${path})`)
      else if (wasUp && isUp()) fail(`${name}: ${error} after ${ms | 0} ms, while the gateway was up (${path})`)
      mark.note({ name, right: false, error: 'no connection', ms })
      return undefined
    }
    const ms = passed()
    try {
      answer.body = JSON.parse(text)
    } catch {
      fail(`${name}: ${answer.status} without JSON: ${text.slice(0, 200)}`)
      return undefined
    }
    const isAnswer = answer.status === 200 || also.includes(answer.status)
    if (!isAnswer) {
      const told = errorOf(path, answer)
      if (told === undefined || !isHonest(answer.status, told))
        fail(`${name}: ${answer.status} ${text.slice(0, 300)} (${path})`)
      mark.note({ name, right: false, error: `${answer.status} ${told}`, ms })
      return undefined
    }
    let wrong: string | undefined
    try {
      wrong = await judge?.(answer)
      if (wrong !== undefined) fail(`${name}: WRONG ${wrong} (${path})`)
    } catch (error) {
      failInTime(`${name}: not judged: ${error} (${path})`)
    }
    mark.note({ name, right: wrong === undefined, ms })
    if (stage.now() === 'calm') observe(name, ms)
    return answer
  },
})
