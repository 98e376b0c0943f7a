import { type BlockIdExt, MASTERCHAIN, shardContains, shardHex } from '../ton/block-id.ts'
import { parseMcStateExtra } from '../ton/tlb/mc-state-extra.ts'
import { shardEntries } from '../ton/tlb/shard-hashes.ts'
import { parseShardStateUnsplit } from '../ton/tlb/shard-state.ts'
import { type AccountPrefix, type Chain, type ChainBlock, type LookupKey, lookupValue } from './chain.ts'
import { liteError, NOT_READY } from './lite-error.ts'

/** A chain as it is known at a masterchain block: what was committed later does not exist yet. */
export interface ChainView {
  readonly chain: Chain
  readonly head: ChainBlock
  /** The block with exactly this id; undefined when it is unknown, not yet committed, or a zerostate. */
  block(id: BlockIdExt): ChainBlock | undefined
  masterchain(seqno: number): ChainBlock | undefined
  /**
   * The block that holds the account prefix: with this seqno, or the first one with at least this end lt or unix time.
   * Throws the node's own error (code 651) when there is none.
   */
  lookup(at: AccountPrefix, by: LookupKey, value: bigint): ChainBlock
}

const NO_FILE: Record<LookupKey, string> = { seqno: 'seqno not in db', lt: 'lt not in db', utime: 'ts not in db' }

/** The chain as it stands at the masterchain block `seqno`, which must exist. */
export const viewAt = (chain: Chain, seqno: number): ChainView => {
  const head = chain.masterchain(seqno)!
  const known = (block: ChainBlock | undefined): ChainBlock | undefined =>
    block && block.mc_seqno <= seqno ? block : undefined

  const outOfSync = ({ workchain, prefix }: AccountPrefix, by: LookupKey, value: bigint): string => {
    if (workchain === MASTERCHAIN)
      return value > lookupValue(head, by) ? ` (last known masterchain block: ${seqno})` : ''
    const { custom } = parseShardStateUnsplit(head.state)
    for (const entry of shardEntries(custom && parseMcStateExtra(custom).shard_hashes)) {
      const { seq_no, end_lt, gen_utime } = entry.descr
      const newest = by === 'lt' ? end_lt : BigInt(by === 'seqno' ? seq_no : gen_utime)
      if (entry.workchain === workchain && shardContains(entry.shard, prefix) && value > newest)
        return ` (possibly out of sync: shard_client_seqno=${seqno} ls_seqno=${seqno})`
    }
    return ''
  }
  const search = (at: AccountPrefix, by: LookupKey, value: bigint): ChainBlock | undefined => {
    const found = chain.find(at, by, value, seqno)
    return found && by === 'seqno' && BigInt(found.id.seqno) !== value ? undefined : found
  }
  return {
    chain,
    head,
    block: (id) => known(chain.block(id)),
    masterchain: (wanted) => known(chain.masterchain(wanted)),
    lookup: (at, by, value) => {
      const found = search(at, by, value)
      if (found) return found
      const reason = chain.hasWorkchain(at.workchain) ? 'ltdb: block not found' : NO_FILE[by]
      const where = `(${at.workchain},${shardHex(at.prefix)}) ${by}=${value}`
      throw liteError(NOT_READY, `cannot find block ${where}: ${reason}${outOfSync(at, by, value)}`)
    },
  }
}
