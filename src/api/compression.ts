import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Encoding } from './accept-encoding.ts'

/** Characters from which on a body is worth compressing: below, it fits into two packets as it is. */
export const MIN_COMPRESSED = 2_048
/** Characters up to which compressing takes less of the loop than handing the body to another thread. */
const AT_ONCE: Readonly<Record<Encoding, number>> = { zstd: 32_768, gzip: 8_192 }

/** Most of an answer is base64, which higher levels do not make smaller. */
const GZIP_LEVEL = 1

const gzipInThread = promisify<string, { level: number }, Uint8Array>(gzip)

const pack = (body: string, encoding: Encoding): Uint8Array | Promise<Uint8Array> => {
  const isSmall = body.length <= AT_ONCE[encoding]
  if (encoding === 'zstd') return isSmall ? Bun.zstdCompressSync(body) : Bun.zstdCompress(body)
  return isSmall ? Bun.gzipSync(body, { level: GZIP_LEVEL }) : gzipInThread(body, { level: GZIP_LEVEL })
}

/** Bytes as a response takes them: none of the packers gives shared memory. */
export type Packed = Uint8Array<ArrayBuffer>

/** Compresses a body, a large one in another thread. */
export const compress = (body: string, encoding: Encoding): Packed | Promise<Packed> =>
  pack(body, encoding) as Packed | Promise<Packed>
