import { gunzipSync } from 'node:zlib'
import { isTonlithError, TonlithError } from '../common/errors.ts'
import { sameTurn } from '../common/same-turn.ts'
import { within } from './middleware/timeout.ts'

/** Bytes that a request body may have, as sent and after inflating (contracts/v2.md 1.1). */
export const MAX_BODY_BYTES = 1 << 20
/** A body that says to be no longer costs no more than the head of its request, and is not counted. */
const UNCOUNTED_BYTES = 16 << 10

export interface BodyOptions {
  /** Milliseconds to wait for a whole body. */
  readonly ms: number
  /** Bytes of unfinished bodies that are held at a time, the small ones aside. */
  readonly maxHeldBytes: number
}

/**
 * Gives the text of a request body. The content type does not matter; a gzip'd body is inflated. Throws `timeout`; `limit`
 * beyond MAX_BODY_BYTES before or after inflating; `unavailable` while too many bytes of other bodies wait for their rest;
 * `connection` when it was cut off; `unsupported` for other encodings; `malformed` for bytes that are neither gzip nor
 * UTF-8 where they should be.
 */
export type BodyReader = (request: Request) => Promise<string>

const tooLarge = (): TonlithError => new TonlithError('limit', 'too large request')

const inflate = (bytes: Uint8Array): Uint8Array => {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BODY_BYTES })
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw new TonlithError('malformed', 'malformed gzip body', { cause })
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

const decode = (bytes: Uint8Array): string => {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new TonlithError('malformed', 'body is not UTF-8', { cause })
  }
}

/** Makes the reader of all bodies of a server: what it holds for all requests together is bounded. */
export const createBodyReader = ({ ms, maxHeldBytes }: BodyOptions): BodyReader => {
  let heldBytes = 0

  const collect = async (body: ReadableStream<Uint8Array>): Promise<Uint8Array> => {
    const chunks: Uint8Array[] = []
    let size = 0
    try {
      for await (const chunk of body) {
        size += chunk.length
        heldBytes += chunk.length
        if (size > MAX_BODY_BYTES) throw tooLarge()
        if (heldBytes > maxHeldBytes) throw new TonlithError('unavailable', 'too many large bodies under way')
        chunks.push(chunk)
      }
    } finally {
      heldBytes -= size
    }
    return Buffer.concat(chunks)
  }

  const receive = async (request: Request): Promise<Uint8Array> => {
    const announced = request.headers.get('content-length')
    if (announced !== null && Number(announced) > MAX_BODY_BYTES) throw tooLarge()
    const isSmall = announced !== null && Number(announced) <= UNCOUNTED_BYTES
    try {
      // Whoever looks at `body` makes a stream of it, through which all of it goes then.
      if (isSmall) return await request.bytes()
      return request.body ? await collect(request.body) : new Uint8Array()
    } catch (cause) {
      if (isTonlithError(cause)) throw cause
      throw new TonlithError('connection', 'request body was cut off', { cause })
    }
  }

  return async (request) => {
    const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() || 'identity'
    if (encoding !== 'identity' && encoding !== 'gzip') {
      throw new TonlithError('unsupported', 'content encoding is not supported')
    }
    const sent = await within({ ms }, receive(request))
    await sameTurn()
    return decode(encoding === 'gzip' ? inflate(sent) : sent)
  }
}
