import { readBlockSignatures } from '../../../chain/block-signatures.ts'
import type { Chain } from '../../../chain/chain.ts'
import { readShardBlockProof } from '../../../chain/shard-block-proof.ts'
import { ref } from '../../json-schema.ts'
import { type CallContext, GET_POST, type Method, method } from '../method.ts'
import { int32, shard } from '../param.ts'
import { blockSignatures, shardBlockProof } from '../serialize/block-proofs.ts'
import { FOLLOWS_HEAD, IMMUTABLE } from './cache-seconds.ts'

type Context = CallContext<Chain>

const getMasterchainBlockSignatures = method({
  name: 'getMasterchainBlockSignatures',
  group: 'blocks',
  summary: 'The signatures of the validators under a masterchain block',
  verbs: GET_POST,
  params: { seqno: int32({ positive: true, missing: 'seqno should be positive' }) },
  result: ref('BlockSignatures'),
  cacheSeconds: () => IMMUTABLE,
  call: async ({ seqno }, { chain, signal }: Context) =>
    blockSignatures(await readBlockSignatures(chain, seqno, signal)),
})

const getShardBlockProof = method({
  name: 'getShardBlockProof',
  group: 'blocks',
  summary: 'The links that lead from a masterchain block to a block of any shard',
  verbs: GET_POST,
  params: {
    workchain: int32({ missing: 'workchain required', description: '-1 for the masterchain, 0 for the basechain' }),
    shard: shard({ missing: 'shard required' }),
    seqno: int32({ positive: true, missing: 'seqno required' }),
    from_seqno: int32({
      optional: true,
      nonNegative: true,
      description: 'Masterchain block from which the proof starts; the newest one when left out',
    }),
  },
  result: ref('ShardBlockProof'),
  cacheSeconds: ({ from_seqno }) => (from_seqno === undefined ? FOLLOWS_HEAD : IMMUTABLE),
  call: async ({ workchain, shard, seqno, from_seqno }, { chain, signal }: Context) =>
    shardBlockProof(await readShardBlockProof(chain, { workchain, shard, seqno }, from_seqno, signal)),
})

/** Methods that prove blocks (contracts/v2.md 6.2, 6.3). */
export const blockProofsMethods: readonly Method<Chain>[] = [getMasterchainBlockSignatures, getShardBlockProof]
