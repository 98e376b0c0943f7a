import { CONNECTION_DEFAULTS, type Connection, connect, type Endpoint } from '../../src/liteserver/connection.ts'
import type { Query } from '../../src/liteserver/query.ts'
import { decodeAnswer, encodeQuery, type LiteRequest } from '../../src/ton/tl/lite-api.ts'

/** Connects our own client to a liteserver; gives the connection and a way to ask typed questions over it. */
export const connectQuery = async (endpoint: Endpoint): Promise<{ connection: Connection; query: Query }> => {
  const connection = await connect(endpoint, CONNECTION_DEFAULTS)
  const query: Query = async (method, args, { wait, timeoutMs = 10_000 } = {}) => {
    const request = { _: method, ...args } as unknown as LiteRequest
    return decodeAnswer(method, await connection.query(encodeQuery(request, wait), { timeoutMs }))
  }
  return { connection, query }
}
