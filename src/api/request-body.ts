import { gunzipSync } from 'node:zlib'
import { TonlithError } from '../common/errors.ts'

/** Bytes that a request body may have, as sent and after inflating (contracts/v2.md 1.1). */
export const MAX_BODY_BYTES = 1 << 20

const tooLarge = (): TonlithError => new TonlithError('limit', 'too large request')

const readChunked = async (body: ReadableStream<Uint8Array>): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const readBytes = async (request: Request): Promise<Uint8Array> => {
  const announced = request.headers.get('content-length')
  if (announced !== null && Number(announced) > MAX_BODY_BYTES) throw tooLarge()
  if (!request.body) return new Uint8Array()
  return announced === null ? readChunked(request.body) : new Uint8Array(await request.arrayBuffer())
}

const inflate = (bytes: Uint8Array): Uint8Array => {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BODY_BYTES })
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw new TonlithError('malformed', 'malformed gzip body', { cause })
  }
}

/**
 * The text of a request body. The content type does not matter; a gzip'd body is inflated. Throws `limit` beyond
 * MAX_BODY_BYTES before or after inflating, `unsupported` for other encodings, `malformed` for bytes that are neither
 * gzip nor UTF-8 where they should be.
 */
export const readBodyText = async (request: Request): Promise<string> => {
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() || 'identity'
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new TonlithError('unsupported', 'content encoding is not supported')
  }
  const sent = await readBytes(request)
  const bytes = encoding === 'gzip' ? inflate(sent) : sent
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new TonlithError('malformed', 'body is not UTF-8', { cause })
  }
}
