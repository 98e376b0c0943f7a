import { randomBytes } from 'node:crypto'
import { silentLogger } from '../../src/common/logger.ts'
import { createAnswer } from '../../src/devnet/answer.ts'
import {
  type ArchiveLiteserver,
  type ArchiveOptions,
  createArchiveLiteserver,
} from '../../src/devnet/archive-liteserver.ts'
import { createHead } from '../../src/devnet/head.ts'
import type { Liteserver } from '../../src/devnet/liteserver-server.ts'
import type { Query } from '../../src/liteserver/query.ts'
import { decodeAnswer, encodeQuery, type LiteRequest } from '../../src/ton/tl/lite-api.ts'
import { connectQuery } from './query-client.ts'
import { recordedChain } from './recorded-chain.ts'

/** An archive liteserver over the recorded chain on a free port of loopback. */
export const startArchive = (options: Partial<ArchiveOptions> = {}): Promise<ArchiveLiteserver> =>
  createArchiveLiteserver({
    archive: recordedChain(),
    listen: { host: '127.0.0.1', port: 0 },
    key: randomBytes(32),
    ...options,
  })

/** Connects our own client to a liteserver of ours. */
export const ownClient = ({ address, publicKey }: Liteserver) => connectQuery({ ...address, key: publicKey })

/** Asks an archive without a connection, at a masterchain block: bytes in, bytes out, as a socket would carry them. */
export const archiveAt = (seqno: number): Query => {
  const answer = createAnswer(recordedChain(), createHead(seqno), silentLogger)
  return async (method, args, { wait } = {}) => {
    const reply = await answer(encodeQuery({ _: method, ...args } as unknown as LiteRequest, wait))
    return decodeAnswer(method, reply!)
  }
}
