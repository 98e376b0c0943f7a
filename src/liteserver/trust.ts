import { LRUCache } from 'lru-cache'
import { isTonlithError } from '../common/errors.ts'
import { ownBlockId } from '../model/block.ts'
import { type BlockIdExt, blockIdText, MASTERCHAIN, sameBlock } from '../ton/block-id.ts'
import { checkBlockProof, type ProvenSteps } from '../ton/block-proof.ts'
import { BELIEVED, notProven, PROVEN } from '../ton/proof/evidence.ts'
import { checkBlockHeader } from '../ton/proof/lookup.ts'
import { parseMerkleUpdate } from '../ton/tlb/block.ts'
import { type Checks, checksBy } from './checks.ts'
import { getBlockHeader, getBlockProof, getShardBlockProof } from './client.ts'
import type { Head } from './head.ts'
import type { VerifyHead } from './head-keeper.ts'
import type { Query } from './query.ts'

/**
 * How much is checked: `full` = Merkle proofs, and every masterchain block by its validators' signatures from a trusted
 * block on; `proofs` = Merkle proofs, but that the head is on the chain is a liteserver's word; `none` = nothing.
 */
export type TrustLevel = 'full' | 'proofs' | 'none'

/** Where the last key block that was reached is kept between two runs, one for each network (its zero state). */
export interface TrustStore {
  load(zeroState: BlockIdExt): BlockIdExt | null
  save(zeroState: BlockIdExt, keyBlock: BlockIdExt): void
}

export interface TrustOptions {
  level: TrustLevel
  zeroState: BlockIdExt
  /** Trust starts here, or at the stored key block where that is newer. */
  initBlock: BlockIdExt
  store?: TrustStore
}

export interface Trust extends Checks {
  readonly level: TrustLevel
  /** The newest key block that is trusted: signatures of later blocks are checked from here. It never moves back. */
  anchor(): BlockIdExt
  /**
   * Makes sure that a block is on the chain: a masterchain block (a server's head, or an old one) by a block proof from
   * what is trusted already, a shard block by the masterchain block that brought it in. Asks the one server behind
   * `query`, nobody when the answer is known. Throws `proof` when that server cannot prove it, and what `query` throws.
   */
  verifyBlock(id: BlockIdExt, query: Query): Promise<void>
  /** For the pool: a head is on the chain (at `full`), and what was said of it is true. Undefined at `none`. */
  readonly verifyHead: VerifyHead | undefined
}

const REMEMBERED = 4096
/** Mode bit of getBlockHeader: show the state's hashes too. */
const WITH_STATE_UPDATE = 1

const nameOf = (id: BlockIdExt): string =>
  `${blockIdText(id)}${id.root_hash.toString('hex')}${id.file_hash.toString('hex')}`

const newer = (a: BlockIdExt, b: BlockIdExt): BlockIdExt => (b.seqno > a.seqno ? b : a)

/**
 * A part that does not reach its target must lead on to a later key block, of which there are not many; back to an older
 * block one link is enough.
 */
const checkProgress = ({ to, complete, key_blocks }: ProvenSteps, from: BlockIdExt, target: BlockIdExt): void => {
  const last = key_blocks.at(-1)
  const onward = from.seqno < target.seqno && to.seqno > from.seqno && last !== undefined && sameBlock(last, to)
  if (!complete && !onward) throw notProven('block proof that leads nowhere')
}

/** The masterchain blocks that are proven so far, and the way to further ones. */
const trustedChain = ({ zeroState, initBlock, store }: TrustOptions) => {
  const stored = store?.load(zeroState) ?? null
  let anchor = stored ? newer(initBlock, stored) : initBlock
  let newest = anchor
  const proven = new LRUCache<number, BlockIdExt>({ max: REMEMBERED })

  /** True for a block that is proven already; throws for one that contradicts a proven block. */
  const isProven = (id: BlockIdExt): boolean => {
    const known = [zeroState, initBlock, anchor, newest].find(({ seqno }) => seqno === id.seqno) ?? proven.get(id.seqno)
    if (known && !sameBlock(known, id)) throw notProven(`block ${blockIdText(id)} is not the one of this chain`)
    return known !== undefined
  }

  const accept = (steps: ProvenSteps): void => {
    const to = ownBlockId(steps.to)
    const key_blocks = steps.key_blocks.map(ownBlockId)
    for (const id of [...key_blocks, to]) if (!isProven(id)) proven.set(id.seqno, id)
    newest = newer(newest, to)
    const reached = key_blocks.reduce(newer, anchor)
    if (reached.seqno === anchor.seqno) return
    anchor = reached
    newest = newer(newest, reached)
    store?.save(zeroState, reached)
  }

  /** Follows a server's block proofs from a proven block to the target. */
  const walk = async (start: BlockIdExt, target_block: BlockIdExt, query: Query): Promise<void> => {
    for (let known_block = start; ; ) {
      const answer = await getBlockProof(query, known_block, target_block)
      const steps = checkBlockProof(answer, { known_block, target_block })
      checkProgress(steps, known_block, target_block)
      accept(steps)
      if (steps.complete) return
      known_block = steps.to
    }
  }

  /** Back from the newest proven block, which costs one link, or forward from the anchor. */
  const reach = async (id: BlockIdExt, query: Query): Promise<void> => {
    if (id.seqno >= newest.seqno) return walk(anchor, id, query)
    const start = anchor
    try {
      await walk(newest, id, query)
    } catch (error) {
      if (id.seqno < start.seqno || !isTonlithError(error, 'liteserver')) throw error
      await walk(start, id, query)
    }
  }

  return { anchor: () => anchor, isProven, reach }
}

/** Time and state hash that a server names along with its head, against the head's own header. */
const verifyHeader: VerifyHead = async (query, { id, utime, state_root_hash }) => {
  const { block, info } = checkBlockHeader(await getBlockHeader(query, id, WITH_STATE_UPDATE), { id }, PROVEN)
  const same = info.gen_utime === utime && parseMerkleUpdate(block.state_update).new_hash.equals(state_root_hash)
  if (!same) throw notProven(`head ${blockIdText(id)} is not as the server says`)
}

/** Trust in one network. The levels `none` and `proofs` never ask for block proofs. */
export const createTrust = (options: TrustOptions): Trust => {
  const { level } = options
  const chain = trustedChain(options)
  const checks = checksBy(level === 'none' ? BELIEVED : PROVEN)
  const shardBlocks = new LRUCache<string, true>({ max: REMEMBERED })

  const isZeroState = ({ id, state_root_hash }: Head): boolean =>
    sameBlock(id, options.zeroState) && state_root_hash.equals(id.root_hash)

  const verifyMasterchainBlock = async (id: BlockIdExt, query: Query): Promise<void> => {
    if (level === 'full' && !chain.isProven(id)) await chain.reach(id, query)
  }

  const verifyShardBlock = async (id: BlockIdExt, query: Query): Promise<void> => {
    const name = nameOf(id)
    if (level === 'none' || shardBlocks.has(name)) return
    const mc_block = checks.checkShardBlockProof(await getShardBlockProof(query, id), { id })
    await verifyMasterchainBlock(mc_block, query)
    shardBlocks.set(name, true)
  }

  const verifyHead: VerifyHead = async (query, head) => {
    await verifyMasterchainBlock(head.id, query)
    if (head.id.seqno > 0) await verifyHeader(query, head)
    else if (!isZeroState(head)) throw notProven('another zero state')
  }

  return {
    ...checks,
    level,
    anchor: chain.anchor,
    verifyBlock: (id, query) =>
      id.workchain === MASTERCHAIN ? verifyMasterchainBlock(id, query) : verifyShardBlock(id, query),
    verifyHead: level === 'none' ? undefined : verifyHead,
  }
}
