import type { Steps } from '../../common/steps.ts'
import { shardPrefixLength } from '../../ton/tlb/shard-ident.ts'
import { closeBlock } from './close-block.ts'
import { closeState, processedBehind } from './close-state.ts'
import type { CollatedBlock, ShardCollation } from './collation.ts'
import type { Draft } from './draft.ts'
import { type ExternalOutcome, importExternals } from './externals.ts'
import { forwardMessages } from './forward.ts'
import { importMessages } from './inbound.ts'
import { loadHistory } from './load-history.ts'
import { alignedLt, laterLt } from './lt.ts'
import { namedShards } from './neighbours.ts'
import { cleanQueue } from './queue-cleanup.ts'
import { releaseMessages } from './release.ts'
import { shardValidators } from './shard-validators.ts'
import { startDraft } from './start-draft.ts'
import { shardValueFlow, validatorFees } from './value-flow.ts'
import { writeContents } from './write-contents.ts'

function* finishShard(draft: Draft, input: ShardCollation, outcome: ExternalOutcome): Steps<CollatedBlock> {
  const { previous, master, shard } = draft
  const { account_blocks, accounts, in_msg_descr, out_msg_descr } = yield* writeContents(draft)
  const value_flow = shardValueFlow({
    before: previous.total_balance,
    after: accounts.extra.balance,
    imported: in_msg_descr.extra.value_imported,
    exported: out_msg_descr.extra,
    created: master.create_fees.basechain_block_fee >> BigInt(shardPrefixLength(shard.shard)),
    transaction_fees: account_blocks.extra,
    import_fees: in_msg_descr.extra.fees_collected,
    minted: draft.put_in.minted,
  })
  const history = loadHistory(draft)
  const processed = processedBehind(draft, master.source.id.seqno)
  const seqno = previous.seqno + 1
  const vert_seq_no = master.state.vert_seq_no
  const min_ref_mc_seqno = Math.min(master.source.id.seqno, ...processed.map(({ mc_seqno }) => mc_seqno))
  const { before_split } = input
  const state = closeState(draft, {
    seqno,
    vert_seq_no,
    before_split,
    accounts,
    processed,
    min_ref_mc_seqno,
    overload_history: history.overload_history,
    underload_history: history.underload_history,
    total_validator_fees: validatorFees(previous.total_validator_fees, value_flow),
    libraries: previous.libraries,
    custom: null,
  })
  yield
  const block = yield* closeBlock(draft, {
    seqno,
    vert_seq_no,
    key_block: false,
    before_split,
    want_split: input.want_split ?? history.want_split,
    want_merge: input.want_merge ?? history.want_merge,
    min_ref_mc_seqno,
    validators: shardValidators(master, shard),
    value_flow,
    in_msg_descr,
    out_msg_descr,
    account_blocks,
    custom: null,
    state,
  })
  return { ...block, ...outcome }
}

/**
 * Makes the next block of a shard of the basechain as the node's collator does (validator/impl/collator.cpp): takes the
 * own queue's delivered messages out, lets deferred ones go on, takes the neighbours' messages and the external ones, and
 * sends on what these transactions sent.
 * @throws `invalid` when the input does not fit together, `malformed` for broken cells, `unavailable` when no emulator is
 * ready
 */
export function* shardBlockSteps(input: ShardCollation): Steps<CollatedBlock> {
  const { workchain, shard } = input
  const draft = startDraft(
    input,
    { workchain, shard },
    ({ extra, source }) => namedShards(extra.shard_hashes, source),
    ({ state }, previous) => alignedLt(laterLt(state.gen_lt, previous.gen_lt)),
  )
  yield* cleanQueue(draft)
  yield* releaseMessages(draft)
  yield* importMessages(draft)
  const outcome = yield* importExternals(draft)
  yield* forwardMessages(draft, !draft.inbound_done)
  return yield* finishShard(draft, input, outcome)
}
