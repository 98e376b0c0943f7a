import { join } from 'node:path'
import { TonlithError } from '../common/errors.ts'
import { type BlockIdExt, blockIdText, MASTERCHAIN } from '../ton/block-id.ts'
import type { Cell } from '../ton/cell.ts'
import { claimFolder } from './claim.ts'
import { addNextState, addWholeState, createStateReader } from './dev-chain-cells.ts'
import {
  type DevBlock,
  type DevBlockKey,
  devBlockAt,
  lastSeqno,
  putDevBlock,
  seqnoByValue,
  seqnoFrom,
  shardsOf,
} from './dev-chain-rows.ts'
import { type Environment, openEnvironment } from './environment.ts'
import { readFailure } from './failure.ts'
import { u32Key } from './keys.ts'
import { readRow, rowWriter } from './row-bytes.ts'

/**
 * The chain of a network of one's own: every block from the zerostates on, every state as cells, of which a block adds
 * those that its predecessor's state lacks. Nothing is changed or removed. It cannot be had again from anywhere.
 */
type DevChainTable = 'zerostates' | 'blocks' | 'cells'

const VERSION = 1

/** Cells of states that are kept in memory: some 50 MB. */
const KEPT_CELLS = 100_000

/**
 * Pages that are looked at when the chain is opened, those near the roots first: 32 MB, some 0.1 s. The rest of a larger
 * file is believed.
 */
const CHECKED_PAGES = 1 << 13

/** What a workchain begins with. */
export interface DevZerostate {
  id: BlockIdExt
  data: Buffer
  root: Cell
}

/** A block that is to be added. */
export interface NewDevBlock extends Omit<DevBlock, 'state'> {
  /** The blocks before it; seqno 0 stands for the workchain's zerostate. */
  prev: readonly BlockIdExt[]
  /** TL-B MERKLE_UPDATE */
  state_update: Cell
}

/** A block, and the root of the state after it. */
export interface KeptDevBlock extends Omit<DevBlock, 'state'> {
  state: Cell
}

/** An open chain. One process at a time writes it. Its reads throw `malformed` for what is damaged. */
export interface DevChainStore {
  readonly path: string
  zerostates(): DevZerostate[]
  block(place: Pick<BlockIdExt, 'workchain' | 'shard' | 'seqno'>): KeptDevBlock | undefined
  /** Every shard that has blocks. */
  shards(): { workchain: number; shard: bigint }[]
  /** Seqno of the last block of a shard; undefined where it has none. */
  last(workchain: number, shard: bigint): number | undefined
  /** Seqno of the first block of a shard with at least this seqno, or this value. */
  first(workchain: number, shard: bigint, by: DevBlockKey | 'seqno', value: bigint): number | undefined
  /** Writes the zerostates of a new chain. */
  begin(zerostates: readonly DevZerostate[]): void
  /**
   * Adds blocks, each behind its predecessors: all of them or, where it throws, none. They are on the disk when it
   * returns. Throws `proof` for a block that does not start from its predecessors' states, `unavailable` for a full disk.
   */
  add(blocks: readonly NewDevBlock[]): void
  /** Bytes of the pages that hold rows. */
  usedBytes(): number
  /** Writes a copy as it is at this moment into a folder that has none yet. */
  backup(folder: string): Promise<void>
  close(): Promise<void>
}

/** The folder of the chain in the data directory of the network. */
export const devChainFolder = (data: string): string => join(data, 'chain')

/** What to do about a damaged one. */
const DAMAGED = 'begin anew (tonlith dev --fresh), or put the data.mdb of a snapshot in its place'

const openTables = (folder: string, readOnly: boolean): Promise<Environment<DevChainTable>> => {
  const fresh = 'begin a new network: tonlith dev --fresh'
  return openEnvironment({
    path: folder,
    stamp: { store: 'dev chain', version: VERSION },
    remedies: {
      otherNetwork: fresh,
      older: fresh,
      newer: 'use the version of tonlith that wrote it, or a newer one',
      damaged: DAMAGED,
    },
    tables: ['zerostates', 'blocks', 'cells'],
    checkedPages: CHECKED_PAGES,
    readOnly,
  })
}

const encodeZerostate = ({ id, data }: DevZerostate, state: number): Buffer =>
  rowWriter()
    .u64(BigInt.asUintN(64, id.shard))
    .bytes(id.root_hash)
    .bytes(id.file_hash)
    .u64(BigInt(state))
    .bytes(Bun.zstdCompressSync(data))
    .end()

const zerostateKey = (workchain: number): Buffer => u32Key(workchain >>> 0)

const decodeZerostate = (key: Buffer, bytes: Buffer, open: (id: number) => Cell): DevZerostate & { state: number } =>
  readRow('zerostates', bytes, (row) => {
    const shard = BigInt.asIntN(64, row.u64())
    const id = { workchain: key.readInt32BE(0), shard, seqno: 0, root_hash: row.bytes(32), file_hash: row.bytes(32) }
    const state = Number(row.u64())
    return { id, state, data: Bun.zstdDecompressSync(row.rest()), root: open(state) }
  })

/**
 * Which network the chain in a folder is of: the root hash of its masterchain's zerostate; undefined for one without.
 * Throws as openDevChain for a folder that holds no chain that could be opened.
 */
export const networkOfDevChain = async (folder: string): Promise<Buffer | undefined> => {
  const environment = await openTables(folder, true)
  try {
    const { zerostates, cells } = environment.tables
    const key = zerostateKey(MASTERCHAIN)
    const row = zerostates.get(key)
    return row && decodeZerostate(key, row, createStateReader(cells, KEPT_CELLS)).id.root_hash
  } finally {
    await environment.close()
  }
}

/**
 * Opens the chain in a folder, which is made where it is missing, and claims it for this process. With `readOnly` nothing is
 * made or claimed: it may grow meanwhile.
 * @throws TonlithError as openEnvironment does; `conflict` while another process has it
 */
export const openDevChain = async (folder: string, { readOnly = false } = {}): Promise<DevChainStore> => {
  const claim = readOnly ? undefined : claimFolder(folder, 'network')
  let environment: Environment<DevChainTable>
  try {
    environment = await openTables(folder, readOnly)
  } catch (error) {
    claim?.release()
    throw error
  }
  const { tables, transaction } = environment
  const open = createStateReader(tables.cells, KEPT_CELLS)
  const told = <R>(work: () => R): R => {
    try {
      return work()
    } catch (error) {
      throw readFailure(error, folder, DAMAGED)
    }
  }
  const zerostates = () => [...tables.zerostates.getRange()].map(({ key, value }) => decodeZerostate(key, value, open))

  /** The number of the state that a block, or the zerostate, leaves behind. */
  const stateAfter = (id: BlockIdExt): number => {
    const found =
      id.seqno === 0
        ? zerostates().find((zerostate) => zerostate.id.workchain === id.workchain)
        : devBlockAt(tables.blocks, id)
    if (!found?.id.root_hash.equals(id.root_hash))
      throw new TonlithError('proof', `block ${blockIdText(id)} is not there`)
    return found.state
  }
  return {
    path: folder,
    zerostates: () => told(zerostates),
    block: (place) =>
      told(() => {
        const found = devBlockAt(tables.blocks, place)
        return found && { ...found, state: open(found.state) }
      }),
    shards: () => told(() => shardsOf(tables.blocks)),
    last: (workchain, shard) => told(() => lastSeqno(tables.blocks, workchain, shard)),
    first: (workchain, shard, by, value) =>
      told(() =>
        by === 'seqno'
          ? seqnoFrom(tables.blocks, workchain, shard, Number(value))
          : seqnoByValue(tables.blocks, workchain, shard, by, value),
      ),
    begin: (first) =>
      transaction(() => {
        for (const zerostate of first) {
          const state = addWholeState(tables.cells, zerostate.root)
          tables.zerostates.putSync(zerostateKey(zerostate.id.workchain), encodeZerostate(zerostate, state))
        }
      }),
    add: (blocks) =>
      transaction(() => {
        for (const { prev, state_update, ...block } of blocks) {
          const state = addNextState(tables.cells, prev.map(stateAfter), state_update)
          putDevBlock(tables.blocks, { ...block, state })
        }
      }),
    usedBytes: environment.usedBytes,
    backup: environment.backup,
    close: async () => {
      await environment.close()
      claim?.release()
    },
  }
}
