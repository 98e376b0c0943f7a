import type { ClientRequest, IncomingMessage } from 'node:http'
import { isTlsFailure, pinnedRequest } from '../../common/pinned-request.ts'

/** What a receiver said, or why it said nothing. */
export type PostResult =
  | {
      _: 'answered'
      status: number
      /** The first bytes of the answer. */
      answer: Buffer
    }
  | { _: 'failed'; failure: 'refused' | 'connection' | 'tls' | 'timeout' | 'request' }

export interface PostOptions {
  headers: Readonly<Record<string, string>>
  body: Buffer
  /** Ends it: then what was not answered has failed with `timeout`. */
  signal: AbortSignal
  /** Certificates that are trusted in place of the usual ones. */
  ca?: string | undefined
}

/** So much of an answer is read, for the log. */
const ANSWER_BYTES = 1024

/** Nothing was sent yet: another address of the host may do. */
const UNREACHED = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']

const failureOf = (error: Error): 'refused' | 'connection' | 'tls' => {
  if (isTlsFailure(error)) return 'tls'
  return UNREACHED.includes((error as NodeJS.ErrnoException).code ?? '') ? 'refused' : 'connection'
}

/** Reads the beginning of an answer: `end` is called once it is there, or once no more of it will come. */
const readBeginning = (response: IncomingMessage, end: (answer: Buffer) => void): (() => Buffer) => {
  const parts: Buffer[] = []
  let missing = ANSWER_BYTES
  const beginning = (): Buffer => Buffer.concat(parts)
  const give = (): void => end(beginning())
  response.on('data', (part: Buffer) => {
    if (missing === 0) return
    parts.push(Buffer.from(part.subarray(0, missing)))
    missing = Math.max(0, missing - part.length)
    if (missing === 0) give()
  })
  response.on('end', give)
  response.on('error', give)
  response.on('close', give)
  return beginning
}

/**
 * Sends a body to one address of a URL's host. It is the status that answers: what stands behind it is read for the log, as
 * far as it comes in time. A redirect is an answer like others, and followed by nobody. Never rejects.
 * @param address an IP address of the URL's host, which was found to be allowed
 */
export const postTo = (url: URL, address: string, { headers, body, signal, ca }: PostOptions): Promise<PostResult> =>
  new Promise((resolve) => {
    let request: ClientRequest | undefined
    let over = false
    /** What was answered so far. */
    let answered: (() => PostResult) | undefined
    const end = (result: PostResult): void => {
      if (over) return
      over = true
      signal.removeEventListener('abort', expire)
      resolve(result)
      request?.destroy()
    }
    const fail = (failure: Extract<PostResult, { _: 'failed' }>['failure']): void =>
      end(answered?.() ?? { _: 'failed', failure })
    const expire = (): void => fail('timeout')
    signal.addEventListener('abort', expire)
    if (signal.aborted) return expire()
    try {
      request = pinnedRequest(url, address, { method: 'POST', headers, ca })
    } catch {
      return fail('request')
    }
    request.on('error', (error) => fail(failureOf(error)))
    request.on('close', () => fail('connection'))
    request.on('response', (response) => {
      const status = response.statusCode ?? 0
      const beginning = readBeginning(response, (answer) => end({ _: 'answered', status, answer }))
      answered = () => ({ _: 'answered', status, answer: beginning() })
    })
    request.end(body)
  })
