import { isTonlithError } from '../../../src/common/errors.ts'
import { bag } from '../../../src/devnet/proofs.ts'
import type { Query } from '../../../src/liteserver/query.ts'
import { type BlockIdExt, MASTERCHAIN } from '../../../src/ton/block-id.ts'
import { parseBocRoot } from '../../../src/ton/boc.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { withRefs } from '../../../src/ton/data-cell.ts'
import { beginParse } from '../../../src/ton/slice.ts'
import type { LiteAnswer, LiteRequest } from '../../../src/ton/tl/lite-api.ts'
import type { Arguments } from '../../../src/ton/tl/types.ts'
import type { Fate, Lie } from '../lying-liteserver.ts'
import { recordedChain } from '../recorded-chain.ts'
import { neighbour } from './pieces.ts'

type Lookup = LiteAnswer<'liteServer.lookupBlockWithProof'>
type LookupArgs = Arguments<'liteServer.lookupBlockWithProof'>
type Shards = LiteAnswer<'liteServer.getAllShardsInfo'>

const BY_SEQNO = 1
const BY_LT = 2

const onLookups = (
  name: string,
  fate: Fate,
  tell: (honest: Lookup, args: LookupArgs, ask: Query) => Lookup | undefined | Promise<Lookup | undefined>,
): Lie => ({ name, fate, tells: { 'liteServer.lookupBlockWithProof': tell } })

const blockOf = (id: BlockIdExt) =>
  recordedChain()
    .shards(id.workchain)
    .get(id.shard)!
    .find((block) => block.id.seqno === id.seqno)!

/** The true answer to the question after another block, by its seqno or by its lt, undefined when there is none. */
const lookedUp = async (id: BlockIdExt, args: LookupArgs, ask: Query): Promise<Lookup | undefined> => {
  const { workchain, shard, seqno } = id
  const isBySeqno = (args.mode & BY_SEQNO) !== 0
  const which = isBySeqno ? { mode: BY_SEQNO } : { mode: BY_LT, lt: blockOf(id).info.end_lt }
  try {
    const { mc_block_id } = args
    return await ask('liteServer.lookupBlockWithProof', { mc_block_id, id: { workchain, shard, seqno }, ...which })
  } catch (error) {
    if (!isTonlithError(error, 'liteserver')) throw error
    return undefined
  }
}

const otherBlock = (steps: number): Lie[] => {
  const where = steps > 0 ? 'behind' : 'before'
  return [
    onLookups(`the block ${Math.abs(steps)} ${where} the asked one`, 'refused', (honest, args, ask) =>
      lookedUp(neighbour(honest.id, steps), args, ask),
    ),
    onLookups(
      `the block ${Math.abs(steps)} ${where} the asked one under its name`,
      'refused',
      async (honest, args, ask) => {
        const other = await lookedUp(neighbour(honest.id, steps), args, ask)
        return other && { ...other, id: honest.id }
      },
    ),
  ]
}

/** The block with the same seqno in the other half of the workchain. */
const sibling = (honest: Lookup, args: LookupArgs, ask: Query): Promise<Lookup | undefined> | undefined => {
  const id = { ...honest.id, shard: BigInt.asIntN(64, honest.id.shard ^ (1n << 63n)) }
  const block = recordedChain()
    .shards(id.workchain)
    .get(id.shard)
    ?.find((each) => each.id.seqno === id.seqno)
  return id.workchain === MASTERCHAIN || !block ? undefined : lookedUp(block.id, { ...args, mode: BY_SEQNO }, ask)
}

const onShards = (
  name: string,
  fate: Fate,
  tell: (
    honest: Shards,
    args: Arguments<'liteServer.getAllShardsInfo'>,
    ask: Query,
  ) => Shards | undefined | Promise<Shards | undefined>,
): Lie => ({ name, fate, tells: { 'liteServer.getAllShardsInfo': tell } })

/** The tree of cells with the cells that `change` takes up replaced. */
const rebuilt = (cell: Cell, change: (cell: Cell) => Cell | undefined): Cell => {
  const refs = Array.from({ length: cell.refCount }, (_, i) => rebuilt(cell.ref(i), change))
  return change(cell) ?? withRefs(cell, refs)
}

/** TL-B bt_fork$1: the tree of shards with one branch instead of both. */
const oneBranch =
  (branch: number) =>
  (cell: Cell): Cell | undefined =>
    cell.bits === 1 && cell.refCount === 2 ? cell.ref(branch) : undefined

/** TL-B bt_leaf$0 shard_descr#b or shard_descr_new#a: with the next seqno. */
const nextSeqno = (cell: Cell): Cell | undefined => {
  if (cell.bits < 300) return undefined
  const slice = beginParse(cell)
  const start = slice.bits(5)
  const seqno = slice.uint(32)
  return beginCell()
    .bits(start)
    .uint(seqno + 1, 32)
    .slice(slice)
    .endCell()
}

const shardsWith = (change: (cell: Cell) => Cell | undefined) => (honest: Shards) => ({
  ...honest,
  data: bag(rebuilt(parseBocRoot(honest.data), change)),
})

/** The header of the block at the asked place, as if it were the one of the asked hashes. */
const falseHeader = async (request: LiteRequest, ask: Query) => {
  if (request._ !== 'liteServer.getBlockHeader') return undefined
  const block = recordedChain()
    .shards(request.id.workchain)
    .get(request.id.shard)
    ?.find(({ id }) => id.seqno === request.id.seqno)
  if (!block) return undefined
  const header = await ask('liteServer.getBlockHeader', { id: block.id, mode: request.mode })
  return { ...header, id: request.id }
}

export const FALSE_HEADER: Lie = {
  name: 'a header for hashes that no block has',
  fate: 'refused',
  tells: {},
  insteadOfError: falseHeader,
}

export const LIES_ABOUT_BLOCKS: readonly Lie[] = [
  ...otherBlock(-1),
  ...otherBlock(1),
  onLookups('the block of the same seqno in the other shard', 'refused', sibling),
  onLookups('the block of the same seqno in the masterchain', 'refused', (honest, args, ask) =>
    honest.id.workchain === MASTERCHAIN
      ? undefined
      : lookedUp(recordedChain().masterchain(honest.id.seqno)!.id, args, ask),
  ),
  onLookups('proofs that lead to an older head', 'refused', async (honest, args, ask) => {
    const mc_block_id = neighbour(args.mc_block_id)
    return honest.mc_block_id.seqno > mc_block_id.seqno
      ? undefined
      : await ask('liteServer.lookupBlockWithProof', { ...args, mc_block_id })
  }),
  onLookups('the header before left out', 'refused', (honest, { mode }) =>
    mode & BY_SEQNO ? undefined : { ...honest, prev_header: Buffer.alloc(0) },
  ),
  onLookups('the header of an older block as the one before', 'refused', async (honest, { mode }, ask) => {
    if (mode & BY_SEQNO) return undefined
    const id = neighbour(neighbour(honest.id))
    const { header_proof } = await ask('liteServer.getBlockHeader', { id, mode: 0 })
    return { ...honest, prev_header: header_proof }
  }),
  onLookups('no links to the masterchain', 'refused', (honest) =>
    honest.shard_links.length > 0 ? { ...honest, shard_links: [] } : undefined,
  ),
  onLookups('a masterchain block that is not the one of the links', 'refused', (honest) =>
    honest.shard_links.length > 0 ? { ...honest, mc_block_id: neighbour(honest.mc_block_id) } : undefined,
  ),
  onShards('one shard left out', 'refused', shardsWith(oneBranch(0))),
  onShards('the other shard left out', 'refused', shardsWith(oneBranch(1))),
  onShards('a later block in each shard', 'refused', shardsWith(nextSeqno)),
  onShards('no shards', 'refused', (honest) => ({ ...honest, data: bag(beginCell().bit(false).endCell()) })),
  onShards('the shards of another block', 'refused', (_, { id }, ask) =>
    ask('liteServer.getAllShardsInfo', { id: neighbour(id, -30) }),
  ),
  onShards('the shards of another block under the name of the asked one', 'refused', async (_, { id }, ask) => ({
    ...(await ask('liteServer.getAllShardsInfo', { id: neighbour(id, -30) })),
    id,
  })),
  onShards("another block's shards with the proof of the asked one", 'refused', async (honest, { id }, ask) => ({
    ...honest,
    data: (await ask('liteServer.getAllShardsInfo', { id: neighbour(id, -30) })).data,
  })),
  FALSE_HEADER,
]

type Config = LiteAnswer<'liteServer.getConfigAll'>

const onConfigs = (
  name: string,
  tell: (honest: Config, args: Arguments<'liteServer.getConfigAll'>, ask: Query) => Config | Promise<Config>,
): Lie => ({ name, fate: 'refused', tells: { 'liteServer.getConfigAll': tell } })

/** The true configuration of another key block. */
const foreign = (args: Arguments<'liteServer.getConfigAll'>, ask: Query): Promise<Config> => {
  const chain = recordedChain()
  const rules = chain.keyBlocks.findLast((seqno) => seqno <= args.id.seqno)!
  const other = chain.keyBlocks.findLast((seqno) => seqno > 0 && seqno !== rules)!
  return ask('liteServer.getConfigAll', { ...args, id: chain.masterchain(other)!.id })
}

export const LIES_ABOUT_CONFIG: readonly Lie[] = [
  onConfigs('the configuration of another key block', (_, args, ask) => foreign(args, ask)),
  onConfigs('the configuration of another key block under the name of the asked block', async (_, args, ask) => ({
    ...(await foreign(args, ask)),
    id: args.id,
  })),
  onConfigs("another key block's configuration behind the proof of the asked block", async (honest, args, ask) => ({
    ...honest,
    config_proof: (await foreign(args, ask)).config_proof,
  })),
  onConfigs('the configuration as the key block has it', async (_, args, ask) => ({
    ...(await ask('liteServer.getConfigAll', { ...args, mode: 0x8000 })),
    id: args.id,
  })),
  onConfigs('some parameters only', (_, args, ask) =>
    ask('liteServer.getConfigParams', { ...args, param_list: [0, 1, 15, 34] }),
  ),
  onConfigs('no parameters', (_, args, ask) => ask('liteServer.getConfigParams', { ...args, param_list: [] })),
]
