import { LRUCache } from 'lru-cache'
import { TonlithError } from '../common/errors.ts'
import type { BatchAccount } from '../model/batch.ts'
import type { Address } from '../ton/address.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import type { Cell } from '../ton/cell.ts'
import { parseBlockExtra } from '../ton/tlb/block-extra.ts'
import { parseMcBlockExtra } from '../ton/tlb/mc-block-extra.ts'
import type { BlockSource } from './block-source.ts'
import type { OpenedBlock } from './opened-block.ts'

/** An account that no block of the index has shown yet. */
export interface ForeignAccount {
  account: BatchAccount
  /** False where that state is gone, and this is a later one. */
  atBlock: boolean
}

/** What detection asks the network for. Each waits until it has an answer, and rejects when the index ends. */
export interface DetectionSource {
  /** Root of the configuration's dictionary in force after a masterchain block. */
  config(masterchain: OpenedBlock): Promise<Cell>
  /** Public libraries by hash; those that are not there are left out. */
  libraries(hashes: readonly Buffer[]): Promise<readonly Cell[]>
  /**
   * An account as a masterchain block has it, whole; undefined where it provably does not exist, null where nobody can tell
   * any more.
   */
  account(address: Address, masterchain: BlockIdExt): Promise<ForeignAccount | undefined | null>
}

const KEPT_CONFIGS = 4

const configOf = ({ block }: OpenedBlock): Cell => {
  const { custom } = parseBlockExtra(block.extra)
  const config = custom && parseMcBlockExtra(custom).config
  if (!config) throw new TonlithError('malformed', 'a key block without a configuration')
  return config.config
}

export interface ConfigSourceOptions {
  source: Pick<BlockSource, 'masterchainId' | 'block'>
  /** The configuration of the zero state, asked for at a block before the first key block. */
  first(masterchain: BlockIdExt): Promise<Cell>
  signal: AbortSignal
}

/** DetectionSource.config: key blocks hold the whole configuration, and are kept by every server. */
export const createConfigSource = ({ source, first, signal }: ConfigSourceOptions): DetectionSource['config'] => {
  const known = new LRUCache<number, Promise<Cell>>({ max: KEPT_CONFIGS })
  const load = async (seqno: number, { id }: OpenedBlock): Promise<Cell> => {
    if (seqno === 0) return first(id)
    return configOf(await source.block(await source.masterchainId(seqno, signal), signal))
  }
  return (block) => {
    const { key_block, prev_key_block_seqno } = block.info
    const seqno = key_block ? block.id.seqno : prev_key_block_seqno
    const kept = known.get(seqno)
    if (kept) return kept
    const coming = key_block ? Promise.resolve(configOf(block)) : load(seqno, block)
    known.set(seqno, coming)
    coming.catch(() => {
      if (known.peek(seqno) === coming) known.delete(seqno)
    })
    return coming
  }
}
