import { expect, test } from 'bun:test'
import * as client from '../../../src/liteserver/client.ts'
import type { Query } from '../../../src/liteserver/query.ts'
import { decodeRequest, encodeQuery, type LiteRequest, unwrapQuery } from '../../../src/ton/tl/lite-api.ts'
import { LITE_SERVER_FUNCTIONS } from '../../../src/ton/tl/schema-functions.ts'

const id = {
  workchain: -1,
  shard: -(1n << 63n),
  seqno: 5,
  root_hash: Buffer.alloc(32, 1),
  file_hash: Buffer.alloc(32, 2),
}
const account = { workchain: 0, id: Buffer.alloc(32, 3) }
const hash = Buffer.alloc(32, 4)
const shard = { workchain: 0, shard: 1n << 62n }
const inside = { wc: 0, shard: 1n << 62n }

/** What a function puts on the wire, as the server reads it. */
const onWire = async (ask: (query: Query) => Promise<unknown>): Promise<Record<string, unknown>> => {
  let bytes = Buffer.alloc(0)
  const query = (async (method: string, args: object, options?: { wait?: { seqno: number; timeout_ms: number } }) => {
    bytes = encodeQuery({ _: method, ...args } as LiteRequest, options?.wait) as Buffer<ArrayBuffer>
  }) as unknown as Query
  await ask(query)
  const { call, wait } = decodeRequest(unwrapQuery(bytes)!)
  return wait ? { ...call, wait } : { ...call }
}

const cases: [string, (query: Query) => Promise<unknown>, object][] = [
  ['getMasterchainInfo', (q) => client.getMasterchainInfo(q), {}],
  ['getMasterchainInfoExt', (q) => client.getMasterchainInfoExt(q), { mode: 0 }],
  ['getTime', (q) => client.getTime(q), {}],
  ['getVersion', (q) => client.getVersion(q), {}],
  ['getBlock', (q) => client.getBlock(q, id), { id }],
  ['getState', (q) => client.getState(q, id), { id }],
  ['getBlockHeader', (q) => client.getBlockHeader(q, id), { id, mode: 0 }],
  ['sendMessage', (q) => client.sendMessage(q, hash), { body: hash }],
  ['getAccountState', (q) => client.getAccountState(q, id, account), { id, account }],
  ['getAccountStatePrunned', (q) => client.getAccountStatePrunned(q, id, account), { id, account }],
  [
    'runSmcMethod',
    (q) => client.runSmcMethod(q, { mode: 4, id, account, method_id: 85143n, params: hash }),
    { mode: 4, id, account, method_id: 85143n, params: hash },
  ],
  ['getShardInfo', (q) => client.getShardInfo(q, id, 0, 7n, true), { id, workchain: 0, shard: 7n, exact: true }],
  ['getAllShardsInfo', (q) => client.getAllShardsInfo(q, id), { id }],
  ['getOneTransaction', (q) => client.getOneTransaction(q, id, account, 9n), { id, account, lt: 9n }],
  ['getTransactions', (q) => client.getTransactions(q, account, 9n, hash, 16), { count: 16, account, lt: 9n, hash }],
  ['lookupBlock', (q) => client.lookupBlock(q, { ...shard, seqno: 8 }), { mode: 1, id: { ...shard, seqno: 8 } }],
  ['lookupBlock', (q) => client.lookupBlock(q, { ...shard, lt: 8n }), { mode: 2, id: { ...shard, seqno: 0 }, lt: 8n }],
  [
    'lookupBlock',
    (q) => client.lookupBlock(q, { ...shard, utime: 8 }),
    { mode: 4, id: { ...shard, seqno: 0 }, utime: 8 },
  ],
  [
    'lookupBlockWithProof',
    (q) => client.lookupBlockWithProof(q, { ...shard, lt: 8n }, id),
    { mode: 2, id: { ...shard, seqno: 0 }, mc_block_id: id, lt: 8n },
  ],
  ['listBlockTransactions', (q) => client.listBlockTransactions(q, id, { count: 5 }), { id, mode: 7, count: 5 }],
  [
    'listBlockTransactionsExt',
    (q) =>
      client.listBlockTransactionsExt(q, id, {
        count: 5,
        after: { account: hash, lt: 3n },
        want_proof: true,
        reverse_order: true,
      }),
    { id, mode: 0xe7, count: 5, after: { account: hash, lt: 3n }, want_proof: true, reverse_order: true },
  ],
  ['getBlockProof', (q) => client.getBlockProof(q, id, undefined), { mode: 0, known_block: id }],
  ['getBlockProof', (q) => client.getBlockProof(q, id, id), { mode: 1, known_block: id, target_block: id }],
  ['getConfigAll', (q) => client.getConfigAll(q, id), { mode: 0, id }],
  ['getConfigParams', (q) => client.getConfigParams(q, id, [4, -7]), { mode: 0, id, param_list: [4, -7] }],
  ['getValidatorStats', (q) => client.getValidatorStats(q, id, { limit: 3 }), { mode: 0, id, limit: 3 }],
  [
    'getValidatorStats',
    (q) => client.getValidatorStats(q, id, { limit: 3, start_after: hash, modified_after: 0 }),
    { mode: 5, id, limit: 3, start_after: hash, modified_after: 0 },
  ],
  ['getLibraries', (q) => client.getLibraries(q, [hash]), { library_list: [hash] }],
  ['getLibrariesWithProof', (q) => client.getLibrariesWithProof(q, id, [hash]), { id, mode: 0, library_list: [hash] }],
  ['getShardBlockProof', (q) => client.getShardBlockProof(q, id), { id }],
  ['getOutMsgQueueSizes', (q) => client.getOutMsgQueueSizes(q, undefined), { mode: 0 }],
  ['getOutMsgQueueSizes', (q) => client.getOutMsgQueueSizes(q, inside), { mode: 1, ...inside }],
  ['getBlockOutMsgQueueSize', (q) => client.getBlockOutMsgQueueSize(q, id, true), { mode: 1, id, want_proof: true }],
  [
    'getDispatchQueueInfo',
    (q) => client.getDispatchQueueInfo(q, id, { max_accounts: 4, after_addr: hash }),
    { mode: 2, id, max_accounts: 4, after_addr: hash },
  ],
  [
    'getDispatchQueueMessages',
    (q) => client.getDispatchQueueMessages(q, id, { addr: hash, after_lt: 1n, max_messages: 2, messages_boc: true }),
    { mode: 4, id, addr: hash, after_lt: 1n, max_messages: 2, messages_boc: true },
  ],
  ['nonfinal.getValidatorGroups', (q) => client.getValidatorGroups(q, inside), { mode: 1, ...inside }],
  [
    'nonfinal.getCandidate',
    (q) => client.getCandidate(q, { block_id: id, creator: hash, collated_data_hash: hash }),
    { id: { block_id: id, creator: hash, collated_data_hash: hash } },
  ],
  ['nonfinal.getPendingShardBlocks', (q) => client.getPendingShardBlocks(q, undefined), { mode: 0 }],
]

test.each(cases)('%s', async (method, ask, expected) => {
  expect(await onWire(ask)).toEqual({ _: `liteServer.${method}`, ...expected })
})

test('every method of the table has its function', () => {
  const asked = new Set(cases.map(([method]) => `liteServer.${method}`))
  expect(Object.keys(LITE_SERVER_FUNCTIONS).filter((name) => !asked.has(name))).toEqual([])
})

test('the wait prefix goes along', async () => {
  const wait = { seqno: 6, timeout_ms: 100 }
  expect(await onWire((q) => client.getTime(q, { wait }))).toEqual({ _: 'liteServer.getTime', wait })
})
