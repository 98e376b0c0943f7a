import { VERSION } from '../common/version.ts'
import { chooseEncoding, type Encoding } from './accept-encoding.ts'
import { compress, MIN_COMPRESSED, type Packed } from './compression.ts'
import type { Cors } from './middleware/cors.ts'
import { LARGE_BYTES, type Outgoing } from './outgoing.ts'
import { JSON_TYPE, type Reply, type ReplyHeaders } from './reply.ts'

/** Turns a reply into the response to a request; into a promise only where its body is large and compressed. */
export type ToResponse = (request: Request, reply: Reply) => Response | Promise<Response>

type Body = string | Blob | Packed | ReadableStream<Uint8Array> | null

/** What a response has beside the headers of its kind and its own, as its body is sent. */
const AS_IS: ReplyHeaders = {}
const COMPRESSIBLE: ReplyHeaders = { vary: 'Accept-Encoding' }
const PACKED: Readonly<Record<Encoding, ReplyHeaders>> = {
  zstd: { ...COMPRESSIBLE, 'content-encoding': 'zstd' },
  gzip: { ...COMPRESSIBLE, 'content-encoding': 'gzip' },
}

/** Where both name what the answer depends on, all of it counts. */
const joinVary = (of: ReplyHeaders, more: ReplyHeaders): ReplyHeaders => {
  const vary = of['vary'] && more['vary'] ? { vary: `${of['vary']}, ${more['vary']}` } : {}
  return { ...of, ...more, ...vary }
}

/**
 * From so many bytes on, Bun hands the system the parts of the header one by one (30 calls, as many packets) when the
 * response comes later than the handler's own turn. The first bytes of a stream leave with the header, whatever their number.
 */
const STREAMED_BYTES = 15 << 10

/** A body as a stream that gives all of it when it is first asked. */
const atOnce = (body: string | Packed): ReadableStream<Uint8Array> =>
  new ReadableStream({
    type: 'direct',
    pull: (controller) => {
      controller.write(body)
      controller.end()
    },
  })

/**
 * Every response of the API is made here; each names the API's version. The headers of plain JSON replies are made once:
 * copying a Headers object costs a fifth of filling one. A text body that is worth it is compressed as the caller likes. A large one
 * leaves in parts.
 */
export const createToResponse = (cors: Cors, outgoing: Outgoing): ToResponse => {
  const common = { 'x-api-version': VERSION }
  const { always } = cors
  const ofJson = new Map<ReplyHeaders, Headers>()
  for (const extra of always ? [AS_IS, COMPRESSIBLE, ...Object.values(PACKED)] : [])
    ofJson.set(extra, new Headers({ 'content-type': JSON_TYPE, ...common, ...joinVary(always ?? {}, extra) }))

  const respond = (request: Request, reply: Reply, body: Body, extra: ReplyHeaders): Response => {
    const { status, type, headers } = reply
    const made = headers === undefined && type === JSON_TYPE ? ofJson.get(extra) : undefined
    if (made) return new Response(body, { status, headers: made })
    return new Response(body, {
      status,
      headers: {
        ...(type === '' ? {} : { 'content-type': type }),
        ...common,
        ...joinVary(cors.headersFor(request.headers.get('origin')), extra),
        ...headers,
      },
    })
  }

  /** The body as it is sent; the server takes none of it for HEAD, so that parts would wait for ever. */
  const sent = (request: Request, body: string | Packed): string | Packed | ReadableStream<Uint8Array> => {
    if (body.length < STREAMED_BYTES || request.method === 'HEAD') return body
    if (body.length < LARGE_BYTES) return atOnce(body)
    return outgoing.inParts(typeof body === 'string' ? Buffer.from(body) : body, request.signal)
  }

  return (request, reply) => {
    const { body } = reply
    if (typeof body !== 'string' || body.length < MIN_COMPRESSED) return respond(request, reply, body, AS_IS)
    const encoding = chooseEncoding(request.headers.get('accept-encoding'))
    if (encoding === undefined) return respond(request, reply, sent(request, body), COMPRESSIBLE)
    const packed = compress(body, encoding)
    return packed instanceof Promise
      ? packed.then((bytes) => respond(request, reply, sent(request, bytes), PACKED[encoding]))
      : respond(request, reply, sent(request, packed), PACKED[encoding])
  }
}
