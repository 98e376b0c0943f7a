import { hash } from 'node:crypto'
import type { Steps } from '../../common/steps.ts'
import { MASTERCHAIN } from '../../ton/block-id.ts'
import { serializeBoc } from '../../ton/boc-writer.ts'
import type { Cell } from '../../ton/cell.ts'
import { makeUpdate } from '../../ton/merkle-update.ts'
import { type AugDict, buildAugDictCell } from '../../ton/tlb/aug-dict.ts'
import { buildBlock } from '../../ton/tlb/block.ts'
import { buildBlockExtra } from '../../ton/tlb/block-extra.ts'
import { type BlockInfo, buildBlkPrevInfo, buildBlockInfo } from '../../ton/tlb/block-info.ts'
import { type CurrencyCollection, currencyAug } from '../../ton/tlb/currency.ts'
import { buildBlkMasterInfo } from '../../ton/tlb/ext-blk-ref.ts'
import type { GlobalVersion } from '../../ton/tlb/global-version.ts'
import { type ImportFees, importFeesAug } from '../../ton/tlb/in-msg.ts'
import { shardIdentOf } from '../../ton/tlb/shard-ident.ts'
import { buildSplitState } from '../../ton/tlb/shard-state.ts'
import { buildValueFlow, type ValueFlow } from '../../ton/tlb/value-flow.ts'
import { REPORT_VERSION } from './capabilities.ts'
import { refTo } from './close-state.ts'
import type { CollatedBlock } from './collation.ts'
import type { Draft } from './draft.ts'
import { hasCapability } from './master-config.ts'

/** What our blocks say of the program that makes them: all that the node of January 2026, whose rules these are, knows. */
const SOFTWARE: GlobalVersion = { version: 13, capabilities: 1006n }

/** What a block says beside what the draft has. */
export interface BlockParts {
  seqno: number
  vert_seq_no: number
  key_block: boolean
  before_split: boolean
  want_split: boolean
  want_merge: boolean
  min_ref_mc_seqno: number
  validators: { validator_list_hash_short: number; catchain_seqno: number }
  value_flow: ValueFlow
  in_msg_descr: AugDict<ImportFees>
  out_msg_descr: AugDict<CurrencyCollection>
  account_blocks: AugDict<CurrencyCollection>
  /** TL-B ^McBlockExtra */
  custom: Cell | null
  /** The state behind the block. */
  state: Cell
}

const infoOf = (draft: Draft, parts: BlockParts): BlockInfo => {
  const { input, shard, succession, start_lt, max_lt, master } = draft
  const not_master = shard.workchain !== MASTERCHAIN
  const reports = hasCapability(master, REPORT_VERSION)
  return {
    version: 0,
    not_master,
    after_merge: succession === 'after_merge',
    before_split: parts.before_split,
    after_split: succession === 'after_split',
    want_split: parts.want_split,
    want_merge: parts.want_merge,
    key_block: parts.key_block,
    vert_seqno_incr: false,
    flags: reports ? 1 : 0,
    seq_no: parts.seqno,
    vert_seq_no: parts.vert_seq_no,
    shard: shardIdentOf(shard.workchain, shard.shard),
    gen_utime: input.now,
    start_lt,
    end_lt: max_lt,
    gen_validator_list_hash_short: parts.validators.validator_list_hash_short,
    gen_catchain_seqno: parts.validators.catchain_seqno,
    min_ref_mc_seqno: parts.min_ref_mc_seqno,
    prev_key_block_seqno: master.prev_key_block_seqno,
    gen_software: reports ? SOFTWARE : null,
    master_ref: not_master ? buildBlkMasterInfo(refTo(master.source)) : null,
    prev_ref: buildBlkPrevInfo(input.prev.map(refTo)),
    prev_vert_ref: null,
  }
}

/** Makes the block of what the draft and its parts say; what became of the external messages is for the caller to add. */
export function* closeBlock(draft: Draft, parts: BlockParts): Steps<Omit<CollatedBlock, 'taken' | 'refused' | 'left'>> {
  const { input, shard, master } = draft
  const [left, right] = input.prev.map(({ state }) => state)
  const info = infoOf(draft, parts)
  const state_update = makeUpdate(right ? buildSplitState(left!, right) : left!, parts.state)
  yield
  const root = buildBlock({
    global_id: master.state.global_id,
    info: buildBlockInfo(info),
    value_flow: buildValueFlow(parts.value_flow),
    state_update,
    extra: buildBlockExtra({
      in_msg_descr: buildAugDictCell(parts.in_msg_descr, importFeesAug),
      out_msg_descr: buildAugDictCell(parts.out_msg_descr, currencyAug),
      account_blocks: buildAugDictCell(parts.account_blocks, currencyAug),
      rand_seed: input.rand_seed,
      created_by: input.created_by,
      custom: parts.custom,
      wc_custom: null,
    }),
  })
  yield
  const data = serializeBoc([root], { index: true, cacheBits: true, storedHashes: true })
  return {
    id: {
      workchain: shard.workchain,
      shard: shard.shard,
      seqno: parts.seqno,
      root_hash: root.hash(),
      file_hash: hash('sha256', data, 'buffer'),
    },
    data,
    root,
    info,
    state: parts.state,
    value_flow: parts.value_flow,
    created_by: input.created_by,
    transactions: draft.transactions,
  }
}
