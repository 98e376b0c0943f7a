import type { ClientRequest, IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { isTlsFailure, pinnedRequest } from '../../common/pinned-request.ts'
import type { FetchFailure } from './failures.ts'

/** What one request brought. */
export type HttpAnswer =
  | { _: 'body'; body: Buffer }
  | { _: 'redirect'; location: string }
  | { _: 'failed'; failure: FetchFailure }

export interface HttpGetOptions {
  /** Until the head of the answer is there. */
  headMs: number
  maxBytes: number
  /** Ends it: then it has failed with `timeout`. */
  signal: AbortSignal
  /** Certificates that are trusted in place of the usual ones. */
  ca?: string | undefined
}

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

const REDIRECTS = [301, 302, 303, 307, 308]

const HEADERS = { 'user-agent': 'tonlith', accept: 'application/json, */*;q=0.5', 'accept-encoding': 'gzip, br' }

const failed = (failure: FetchFailure): HttpAnswer => ({ _: 'failed', failure })

const decoded = async (body: Buffer, encoding: string, maxBytes: number): Promise<HttpAnswer> => {
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity') return { _: 'body', body }
  if (!Object.hasOwn(DECODERS, name)) return failed('encoding')
  try {
    return { _: 'body', body: await DECODERS[name as keyof typeof DECODERS](body, { maxOutputLength: maxBytes }) }
  } catch (error) {
    return failed((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'encoding')
  }
}

const readAnswer = (
  response: IncomingMessage,
  maxBytes: number,
  end: (answer: HttpAnswer | Promise<HttpAnswer>) => void,
) => {
  const { statusCode = 0, headers } = response
  const { location } = headers
  response.on('error', () => end(failed('connection')))
  if (REDIRECTS.includes(statusCode))
    return end(location === undefined ? failed('status') : { _: 'redirect', location })
  if (statusCode !== 200) return end(failed('status'))
  if (Number(headers['content-length'] ?? 0) > maxBytes) return end(failed('too_large'))
  const parts: Buffer[] = []
  let bytes = 0
  response.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes > maxBytes) return end(failed('too_large'))
    parts.push(part)
  })
  response.on('end', () => {
    if (!response.complete) return end(failed('connection'))
    end(decoded(Buffer.concat(parts), headers['content-encoding'] ?? '', maxBytes))
  })
}

/**
 * Asks one address for a URL. Bytes count as they come and as they are after decompression.
 * @param address an IP address of the URL's host
 */
export const httpGet = (url: URL, address: string, options: HttpGetOptions): Promise<HttpAnswer> =>
  new Promise((resolve) => {
    const { headMs, maxBytes, signal, ca } = options
    let request: ClientRequest | undefined
    let over = false
    const end = (answer: HttpAnswer | Promise<HttpAnswer>): void => {
      if (over) return
      over = true
      clearTimeout(timer)
      signal.removeEventListener('abort', expire)
      resolve(answer)
      request?.destroy()
    }
    const expire = (): void => end(failed('timeout'))
    const timer = setTimeout(expire, headMs)
    signal.addEventListener('abort', expire)
    if (signal.aborted) return expire()
    try {
      request = pinnedRequest(url, address, { method: 'GET', headers: HEADERS, ca })
    } catch {
      return end(failed('uri'))
    }
    request.on('error', (error) => end(failed(isTlsFailure(error) ? 'tls' : 'connection')))
    request.on('response', (response) => {
      clearTimeout(timer)
      readAnswer(response, maxBytes, end)
    })
    request.end()
  })
