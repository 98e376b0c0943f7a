import { TonlithError } from '../../../common/errors.ts'
import type { BlockFilter, BlockRecord, Page } from '../../../model/index-records.ts'
import { object } from '../../json-schema.ts'
import { goJson } from '../go-json.ts'
import { needIndexed } from '../indexed-range.ts'
import { type Answer, type CallContext, type GetMethod, get } from '../method.ts'
import { hash, int32, lt, PAGE, required, seqno, shard, utime } from '../param.ts'
import { BLOCK, BLOCKS } from '../schemas.ts'
import { block } from '../serialize/blocks.ts'

const masterchainSeqno = required(seqno({ description: 'Seqno of a masterchain block' }), 'seqno is required')

const blockText = (record: BlockRecord): string => goJson(block(record))

const answerBlocks = async (
  { index, writer }: CallContext<unknown>,
  filter: BlockFilter,
  page: Page,
): Promise<Answer> => {
  const read = index()
  const { text, next } = await writer.page(read.pages.blocks(filter, page.sort), page, blockText)
  return { text: `{"blocks":${text}}`, next }
}

const masterchainInfo = get({
  name: 'masterchainInfo',
  group: 'blockchain',
  summary: 'The newest and the oldest indexed masterchain block',
  params: {},
  result: object({ last: BLOCK, first: BLOCK }),
  call: (_, context: CallContext<unknown>): Answer => {
    const ends = context.index().masterchainEnds()
    if (!ends) throw new TonlithError('unavailable', 'nothing is indexed yet', { code: 503 })
    return { text: goJson({ last: block(ends.last), first: block(ends.first) }) }
  },
})

const blocks = get({
  name: 'blocks',
  group: 'blockchain',
  summary: 'Blocks; by gen_utime, or by start_lt where only lt is filtered',
  params: {
    workchain: int32({ description: 'Workchain' }),
    shard: shard(),
    seqno: seqno({ description: 'Seqno' }),
    root_hash: hash(),
    file_hash: hash(),
    mc_seqno: seqno({ description: 'Seqno of the masterchain block that commits them' }),
    start_utime: utime(),
    end_utime: utime(),
    start_lt: lt({ description: 'Least start_lt' }),
    end_lt: lt({ description: 'Greatest start_lt' }),
    ...PAGE,
  },
  result: BLOCKS,
  call: ({ limit, offset, sort, cursor, ...filter }, context: CallContext<unknown>) =>
    answerBlocks(context, filter, { limit, offset, sort, after: cursor }),
})

const masterchainBlockShardState = get({
  name: 'masterchainBlockShardState',
  group: 'blockchain',
  summary: 'The newest block of each shard at a masterchain block, and that block',
  params: { seqno: masterchainSeqno },
  result: BLOCKS,
  errors: { 404: 'blocks not found: that masterchain block is not indexed' },
  call: async ({ seqno }, { index, writer }: CallContext<unknown>) => {
    const read = index()
    needIndexed(read, seqno, 'blocks')
    return { text: `{"blocks":${await writer.list(read.shardState(seqno), blockText)}}` }
  },
})

const masterchainBlockShards = get({
  name: 'masterchainBlockShards',
  group: 'blockchain',
  summary: 'All blocks that a masterchain block commits, and that block',
  params: { seqno: masterchainSeqno, ...PAGE },
  result: BLOCKS,
  errors: { 404: 'blocks not found: that masterchain block is not indexed' },
  call: ({ seqno, limit, offset, sort, cursor }, context: CallContext<unknown>) => {
    needIndexed(context.index(), seqno, 'blocks')
    return answerBlocks(context, { mc_seqno: seqno }, { limit, offset, sort, after: cursor })
  },
})

/** Methods that tell of blocks (contracts/v3.md 4.1). */
export const blockMethods: readonly GetMethod<unknown>[] = [
  masterchainInfo,
  blocks,
  masterchainBlockShardState,
  masterchainBlockShards,
]
