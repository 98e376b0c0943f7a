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
import { CONNECTION_DEFAULTS, type Connection, connect } from '../../src/liteserver/connection.ts'
import type { Query } from '../../src/liteserver/query.ts'
import { decodeAnswer, encodeQuery, type LiteRequest } from '../../src/ton/tl/lite-api.ts'
import { recordedChain } from './recorded-chain.ts'

/** An archive liteserver over the recorded chain on a free port of loopback. */
export const startArchive = (options: Partial<ArchiveOptions> = {}): Promise<ArchiveLiteserver> =>
  createArchiveLiteserver({
    archive: recordedChain(),
    listen: { host: '127.0.0.1', port: 0 },
    key: randomBytes(32),
    ...options,
  })

/** Connects our own client to a liteserver; gives the connection and a way to ask typed questions over it. */
export const ownClient = async (server: Liteserver): Promise<{ connection: Connection; query: Query }> => {
  const connection = await connect({ ...server.address, key: server.publicKey }, CONNECTION_DEFAULTS)
  const query: Query = async (method, args, { wait, timeoutMs = 10_000 } = {}) => {
    const request = { _: method, ...args } as unknown as LiteRequest
    return decodeAnswer(method, await connection.query(encodeQuery(request, wait), { timeoutMs }))
  }
  return { connection, query }
}

/** Asks an archive without a connection, at a masterchain block: bytes in, bytes out, as a socket would carry them. */
export const archiveAt = (seqno: number): Query => {
  const answer = createAnswer(recordedChain(), createHead(seqno), silentLogger)
  return async (method, args, { wait } = {}) => {
    const reply = await answer(encodeQuery({ _: method, ...args } as unknown as LiteRequest, wait))
    return decodeAnswer(method, reply!)
  }
}
