import {
  lookupBlock as lookup,
  masterchainInfo as newestBlock,
  readHeader,
  shardBlocks,
} from '../../../chain/blocks.ts'
import type { Chain } from '../../../chain/chain.ts'
import { consensusSeqno } from '../../../chain/head.ts'
import { readOutMsgQueueSizes } from '../../../chain/out-msg-queues.ts'
import { TonlithError } from '../../../common/errors.ts'
import type { BlockIdExt } from '../../../ton/block-id.ts'
import { ref } from '../../json-schema.ts'
import { blockIdExt, type Neutral } from '../dialect.ts'
import { type CallContext, GET_POST, type Method, method } from '../method.ts'
import { hash, int32, int64, shard } from '../param.ts'
import { blockHeader, consensusBlock, masterchainInfo, outMsgQueueSizes, shards } from '../serialize/blocks.ts'
import { blockProofsMethods } from './block-proofs.ts'
import { FOLLOWS_HEAD, IMMUTABLE } from './cache-seconds.ts'

type Context = CallContext<Chain>

const workchain = int32({ description: '-1 for the masterchain, 0 for the basechain' })

/** The answer of each head, written once. */
const infoOf = new WeakMap<BlockIdExt, Neutral>()

const getMasterchainInfo = method({
  name: 'getMasterchainInfo',
  group: 'blocks',
  summary: 'The newest masterchain block and the zero state',
  verbs: GET_POST,
  params: {},
  result: ref('MasterchainInfo'),
  call: (_, { chain }: Context) => {
    const newest = newestBlock(chain)
    const known = infoOf.get(newest.last)
    if (known !== undefined) return known
    const info = masterchainInfo(newest)
    infoOf.set(newest.last, info)
    return info
  },
})

const getConsensusBlock = method({
  name: 'getConsensusBlock',
  group: 'blocks',
  summary:
    'The newest masterchain seqno that more than half of the living liteservers have, and the time of this answer',
  verbs: GET_POST,
  params: {},
  result: ref('ConsensusBlock'),
  call: (_, { chain }: Context) => consensusBlock(consensusSeqno(chain), Math.floor(Date.now() / 1000)),
})

const lookupBlock = method({
  name: 'lookupBlock',
  group: 'blocks',
  summary: 'Id of the block with this seqno, or of the first one that reaches this lt or this time',
  verbs: GET_POST,
  params: {
    workchain,
    shard: shard(),
    seqno: int32({ optional: true, positive: true }),
    lt: int64({ optional: true, nonNegative: true }),
    unixtime: int32({ optional: true, nonNegative: true, description: 'Seconds' }),
  },
  validate: ({ seqno, lt, unixtime }) => {
    if ([seqno, lt, unixtime].filter((value) => value !== undefined).length !== 1)
      throw new TonlithError('invalid', 'exactly one of seqno, lt, unixtime should be specified')
  },
  result: ref('BlockIdExt'),
  cacheSeconds: () => IMMUTABLE,
  call: async ({ workchain, shard, seqno, lt, unixtime }, { chain, signal }: Context) => {
    const { id } = await lookup(chain, { workchain, shard, seqno, lt, unixtime }, signal)
    return blockIdExt(id)
  },
})

const getShards = method({
  name: 'getShards',
  aliases: ['shards'],
  group: 'blocks',
  summary: 'The shard blocks that a masterchain block commits',
  verbs: GET_POST,
  params: { seqno: int32({ positive: true, missing: 'seqno should be positive' }) },
  result: ref('Shards'),
  cacheSeconds: () => IMMUTABLE,
  call: async ({ seqno }, { chain, signal }: Context) => shards(await shardBlocks(chain, seqno, signal)),
})

const getBlockHeader = method({
  name: 'getBlockHeader',
  group: 'blocks',
  summary: 'Header of a block',
  verbs: GET_POST,
  params: {
    workchain,
    shard: shard(),
    seqno: int32({ positive: true }),
    root_hash: hash({ optional: true, description: 'Names the block together with file_hash' }),
    file_hash: hash({ optional: true, description: 'Names the block together with root_hash' }),
  },
  result: ref('BlockHeader'),
  cacheSeconds: () => IMMUTABLE,
  call: async ({ workchain, shard, seqno, root_hash, file_hash }, { chain, signal }: Context) =>
    blockHeader(
      await (root_hash && file_hash
        ? readHeader(chain, { workchain, shard, seqno, root_hash, file_hash })
        : lookup(chain, { workchain, shard, seqno }, signal)),
    ),
})

const getOutMsgQueueSize = method({
  name: 'getOutMsgQueueSize',
  aliases: ['getOutMsgQueueSizes'],
  group: 'blocks',
  summary: 'The number of messages in the outbound queue of each shard at the newest block',
  verbs: GET_POST,
  params: {},
  result: ref('OutMsgQueueSizes'),
  cacheSeconds: () => FOLLOWS_HEAD,
  call: async (_, { chain, signal }: Context) => outMsgQueueSizes(await readOutMsgQueueSizes(chain, signal)),
})

/** Methods that read blocks' ids, headers, queues and proofs (contracts/v2.md 6). */
export const blocksMethods: readonly Method<Chain>[] = [
  getMasterchainInfo,
  getConsensusBlock,
  lookupBlock,
  getShards,
  getBlockHeader,
  getOutMsgQueueSize,
  ...blockProofsMethods,
]
