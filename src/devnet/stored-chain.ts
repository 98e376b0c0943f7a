import { LRUCache } from 'lru-cache'
import { TonlithError } from '../common/errors.ts'
import { type DevChainStore, type NewDevBlock, openDevChain } from '../store/dev-chain-store.ts'
import { type BlockIdExt, blockIdText, MASTERCHAIN, SHARD_ALL, sameBlock, shardContains } from '../ton/block-id.ts'
import { parseBocRoot } from '../ton/boc.ts'
import { updateHashes } from '../ton/merkle.ts'
import { decode, encode } from '../ton/tl/codec.ts'
import { parseBlock } from '../ton/tlb/block.ts'
import { isHeaderOf, parseBlockInfo, prevBlockIds } from '../ton/tlb/block-info.ts'
import type { SignatureSet } from './archive-signatures.ts'
import type { AccountPrefix, Chain, ChainBlock, LookupKey, Zerostate } from './chain.ts'
import { createHead, type Head } from './head.ts'

/** A block as its maker hands it over. */
export type MadeBlock = Pick<ChainBlock, 'id' | 'data' | 'root' | 'info' | 'state'>

/** What one step of a network adds: a masterchain block and the shard blocks that it commits. */
export interface ChainStep {
  /** Each behind its predecessors. */
  shardBlocks: readonly MadeBlock[]
  masterchainBlock: MadeBlock
  /** Of the masterchain block; undefined for one that nobody has signed. */
  signatures: SignatureSet | undefined
}

/** A chain on the disk that grows. */
export interface StoredChain extends Chain {
  /** The last masterchain block; it moves once all of a step is on the disk. */
  readonly head: Head
  /**
   * Adds a step: all of it is on the disk when it returns, and who waited for the head is woken. Where it throws, nothing
   * has changed. Throws `internal` for a step that does not follow; `unavailable` for a full disk.
   */
  append(step: ChainStep): void
  /** Bytes of the pages that hold rows. */
  usedBytes(): number
  /** Writes a copy as it is at this moment into a folder that has none yet. */
  backup(folder: string): Promise<void>
  close(): Promise<void>
}

/** Blocks that are kept open, by what they and the tables of their cells take in memory. */
const KEPT_BYTES = 64 << 20
const MEMORY_PER_BYTE = 4
const BLOCK_BYTES = 4096

/**
 * After so many steps the newest states are let go of and read from the disk again as they are needed: in memory they grow
 * with all that has changed in them.
 */
const STEPS_IN_MEMORY = 256

const keyOf = ({ workchain, shard, seqno }: Pick<BlockIdExt, 'workchain' | 'shard' | 'seqno'>): string =>
  `${workchain}:${shard}:${seqno}`

const FIELDS = { lt: 'end_lt', utime: 'gen_utime', seqno: 'seqno' } as const

const UNSIGNED = Buffer.alloc(0)

/** Seqno of the key block that rules a masterchain block, itself if it is one. */
const lastKeyBlock = ({ id, info }: Pick<ChainBlock, 'id' | 'info'>): number =>
  info.key_block ? id.seqno : info.prev_key_block_seqno

const broken = (id: BlockIdExt, what: string): TonlithError =>
  new TonlithError('internal', `block ${blockIdText(id)} ${what}`)

const rowOf = ({ id, data, root, info, state }: MadeBlock, mc_seqno: number, signatures: Buffer): NewDevBlock => {
  if (!isHeaderOf(info, id)) throw broken(id, 'has the header of another one')
  const { state_update } = parseBlock(root)
  if (!updateHashes(state_update).new.equals(state.hash())) throw broken(id, 'does not lead to its state')
  return {
    id,
    mc_seqno,
    gen_utime: info.gen_utime,
    end_lt: info.end_lt,
    last_key_block: id.workchain === MASTERCHAIN ? lastKeyBlock({ id, info }) : 0,
    signatures,
    data,
    prev: prevBlockIds(info),
    state_update,
  }
}

/**
 * Opens the chain in a folder and claims it for this process.
 * @param genesis makes the zerostates of a new one
 * @throws TonlithError as openDevChain does
 */
export const openStoredChain = async (
  folder: string,
  genesis: () => readonly Zerostate[] | Promise<readonly Zerostate[]>,
): Promise<StoredChain> => {
  const store = await openDevChain(folder)
  try {
    if (store.zerostates().length === 0) store.begin(await genesis())
    return overStore(store)
  } catch (error) {
    await store.close()
    throw error
  }
}

/**
 * Opens the chain in a folder for reading, which another process may add to: what it adds is seen once `last` was asked for.
 * @throws TonlithError as openDevChain does; `invalid` where there is none
 */
export const readStoredChain = async (folder: string): Promise<Chain & Pick<StoredChain, 'close'>> => {
  const store = await openDevChain(folder, { readOnly: true })
  try {
    if (store.zerostates().length === 0) throw new TonlithError('invalid', `there is no chain in ${folder}`)
    return overStore(store, true)
  } catch (error) {
    await store.close()
    throw error
  }
}

/** @param follows whether another process adds to it */
const overStore = (store: DevChainStore, follows = false): StoredChain => {
  const zerostates = new Map(store.zerostates().map((zerostate) => [zerostate.id.workchain, zerostate]))
  const shards = new Map<number, Set<bigint>>()
  const noteShard = ({ workchain, shard }: Pick<BlockIdExt, 'workchain' | 'shard'>): void => {
    const known = shards.get(workchain) ?? new Set()
    shards.set(workchain, known.add(shard))
  }
  for (const shard of store.shards()) noteShard(shard)
  let last = store.last(MASTERCHAIN, SHARD_ALL) ?? 0
  const catchUp = (): void => {
    const now = store.last(MASTERCHAIN, SHARD_ALL) ?? 0
    if (now === last) return
    for (const shard of store.shards()) noteShard(shard)
    last = now
  }
  const head = createHead(last)
  const opened = new LRUCache<string, ChainBlock>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ data }) => BLOCK_BYTES + data.length * MEMORY_PER_BYTE,
  })

  /** The newest block of each shard, as it was made: what follows builds on its state. */
  const newest = new Map<string, ChainBlock>()

  const at = (workchain: number, shard: bigint, seqno: number): ChainBlock | undefined => {
    const key = keyOf({ workchain, shard, seqno })
    const known = newest.get(key) ?? opened.get(key)
    if (known) return known
    const kept = store.block({ workchain, shard, seqno })
    if (!kept) return undefined
    const { id, data, mc_seqno, state } = kept
    const root = parseBocRoot(data)
    const info = parseBlockInfo(parseBlock(root).info)
    const block = { id, data, root, info, prev: prevBlockIds(info), mc_seqno, state }
    opened.set(key, block)
    return block
  }
  const masterchain = (seqno: number): ChainBlock | undefined => at(MASTERCHAIN, SHARD_ALL, seqno)
  const find = ({ workchain, prefix }: AccountPrefix, by: LookupKey, value: bigint, until: number) => {
    let best: ChainBlock | undefined
    for (const shard of shards.get(workchain) ?? []) {
      if (!shardContains(shard, prefix)) continue
      const seqno = store.first(workchain, shard, FIELDS[by], value)
      const found = seqno === undefined ? undefined : at(workchain, shard, seqno)
      if (found && found.mc_seqno <= until && (!best || found.id.seqno < best.id.seqno)) best = found
    }
    return best
  }
  return {
    zerostate: (workchain) => zerostates.get(workchain),
    block: (id) => {
      const found = at(id.workchain, id.shard, id.seqno)
      return found && sameBlock(found.id, id) ? found : undefined
    },
    masterchain,
    hasWorkchain: (workchain) => shards.has(workchain),
    find,
    prevKeyBlock: (seqno) => {
      const block = masterchain(Math.min(seqno, last))
      return block ? lastKeyBlock(block) : 0
    },
    nextKeyBlock: (seqno) => (seqno <= 0 ? 0 : store.first(MASTERCHAIN, SHARD_ALL, 'last_key_block', BigInt(seqno))),
    signatures: (seqno) => {
      const kept = store.block({ workchain: MASTERCHAIN, shard: SHARD_ALL, seqno })
      return kept && kept.signatures.length > 0 ? decode('liteServer.SignatureSet', kept.signatures) : undefined
    },
    get last() {
      if (follows) catchUp()
      return last
    },
    head,
    append: ({ shardBlocks, masterchainBlock, signatures }) => {
      const { seqno } = masterchainBlock.id
      if (masterchainBlock.id.workchain !== MASTERCHAIN || seqno !== last + 1)
        throw broken(masterchainBlock.id, `is no masterchain block behind ${last}`)
      const made = [...shardBlocks, masterchainBlock]
      const signed = signatures ? encode(signatures) : UNSIGNED
      store.add(made.map((block) => rowOf(block, seqno, block === masterchainBlock ? signed : UNSIGNED)))
      if (seqno % STEPS_IN_MEMORY === 0) newest.clear()
      for (const { id, data, root, info, state } of made) {
        noteShard(id)
        const prev = prevBlockIds(info)
        for (const before of prev) newest.delete(keyOf(before))
        newest.set(keyOf(id), { id, data, root, info, prev, mc_seqno: seqno, state })
      }
      last = seqno
      head.set(seqno)
    },
    usedBytes: store.usedBytes,
    backup: store.backup,
    close: () => {
      head.close()
      opened.clear()
      newest.clear()
      return store.close()
    },
  }
}
