import type { Steps } from '../../common/steps.ts'
import { MASTERCHAIN, SHARD_ALL } from '../../ton/block-id.ts'
import { buildAugDictCell } from '../../ton/tlb/aug-dict.ts'
import { addCurrencies, NO_CURRENCY } from '../../ton/tlb/currency.ts'
import { isFundamentalSmc } from '../../ton/tlb/fundamental-smc.ts'
import { buildMcBlockDetails, buildMcBlockExtra } from '../../ton/tlb/mc-block-extra.ts'
import { buildMcStateExtra } from '../../ton/tlb/mc-state-extra.ts'
import { buildShardHashes } from '../../ton/tlb/shard-hashes.ts'
import { depthBalanceAug } from '../../ton/tlb/shard-state.ts'
import { closeBlock } from './close-block.ts'
import { closeState, processedBehind } from './close-state.ts'
import type { CollatedBlock, Collation, ShardTop } from './collation.ts'
import type { Draft } from './draft.ts'
import { type ExternalOutcome, importExternals } from './externals.ts'
import { forwardMessages } from './forward.ts'
import { importMessages } from './inbound.ts'
import { nextConfig } from './key-block.ts'
import { loadHistory } from './load-history.ts'
import { alignedLt, laterLt } from './lt.ts'
import { masterConfig } from './master-config.ts'
import { type MasterchainIncome, masterchainIncome } from './masterchain-fees.ts'
import { broughtLibraries, changedLibraries } from './masterchain-libraries.ts'
import { type TakenShards, takeShards } from './masterchain-shards.ts'
import { paySpecial } from './masterchain-special.ts'
import { nextMasterchainState } from './masterchain-state.ts'
import { runTickTock } from './masterchain-tick-tock.ts'
import { masterchainValidators } from './masterchain-validators.ts'
import { blackholeIncome, masterchainValueFlow } from './masterchain-value-flow.ts'
import { namedShards } from './neighbours.ts'
import { updatePublicLibraries } from './public-libraries.ts'
import { cleanQueue } from './queue-cleanup.ts'
import { releaseMessages } from './release.ts'
import { startDraft } from './start-draft.ts'
import { validatorFees } from './value-flow.ts'
import { writeContents } from './write-contents.ts'

export interface MasterchainCollation extends Collation {
  /** The newest blocks of shards that are to be taken in, in any order: one for each shard that has new ones. */
  shards: readonly ShardTop[]
  /** Left out: as the history of the masterchain's load says. */
  want_split?: boolean
  want_merge?: boolean
}

export interface CollatedMasterchainBlock extends CollatedBlock {
  /** Why the configuration that its contract now keeps was not taken; null when there is nothing against it. */
  config_refused: string | null
}

/** InMsg cells of the payments that the block itself made. */
interface Payments {
  recover_create_msg: ReturnType<typeof paySpecial> | null
  mint_msg: ReturnType<typeof paySpecial> | null
}

function* finishMasterchain(
  draft: Draft,
  input: MasterchainCollation,
  {
    taken,
    income,
    payments,
    outcome,
  }: {
    taken: TakenShards
    income: MasterchainIncome
    payments: Payments
    outcome: ExternalOutcome
  },
): Steps<CollatedMasterchainBlock> {
  const { previous, master } = draft
  const { used, account_blocks, accounts, in_msg_descr, out_msg_descr } = yield* writeContents(draft)
  const value_flow = masterchainValueFlow(master.params, income, {
    before: previous.total_balance,
    after: accounts.extra.balance,
    imported: in_msg_descr.extra.value_imported,
    exported: out_msg_descr.extra,
    transaction_fees: account_blocks.extra,
    import_fees: in_msg_descr.extra.fees_collected,
    blackhole: blackholeIncome(draft),
    put_in: draft.put_in.minted,
  })
  const config = nextConfig(master.extra.config, buildAugDictCell(accounts, depthBalanceAug))
  const next = nextMasterchainState(master, {
    now: input.now,
    created_by: input.created_by,
    shard_creators: taken.creators,
    entries: taken.entries,
    income,
    minted: input.shards.map(({ minted }) => minted).reduce(addCurrencies, value_flow.minted),
    burned: value_flow.burned ?? NO_CURRENCY,
    config,
  })
  const seqno = previous.seqno + 1
  const { vert_seq_no } = previous
  const history = loadHistory(draft)
  const processed = processedBehind(draft, seqno)
  const min_ref_mc_seqno = Math.min(seqno, next.min_ref_mc_seqno, ...processed.map(({ mc_seqno }) => mc_seqno))
  const state = closeState(draft, {
    seqno,
    vert_seq_no,
    before_split: false,
    accounts,
    processed,
    min_ref_mc_seqno,
    overload_history: history.overload_history,
    underload_history: history.underload_history,
    total_validator_fees: validatorFees(previous.total_validator_fees, value_flow),
    libraries: updatePublicLibraries(previous.libraries, [
      ...broughtLibraries(input.imports),
      ...changedLibraries(used),
    ]),
    custom: buildMcStateExtra(next.extra),
  })
  yield
  const block = yield* closeBlock(draft, {
    seqno,
    vert_seq_no,
    key_block: config.changed,
    before_split: false,
    want_split: input.want_split ?? history.want_split,
    want_merge: input.want_merge ?? history.want_merge,
    min_ref_mc_seqno,
    validators: masterchainValidators(master),
    value_flow,
    in_msg_descr,
    out_msg_descr,
    account_blocks,
    custom: buildMcBlockExtra({
      key_block: config.changed,
      shard_hashes: next.extra.shard_hashes,
      shard_fees: income.shard_fees,
      details: buildMcBlockDetails({ prev_blk_signatures: null, ...payments }),
      config: config.changed ? config.params : null,
    }),
    state,
  })
  return { ...block, ...outcome, config_refused: config.refused }
}

/**
 * Makes the next masterchain block as the node's collator does (validator/impl/collator.cpp): takes in the newest blocks of
 * the shards with their fees, runs the special accounts and the messages, and writes shards, validators, configuration,
 * statistics and libraries anew.
 * @throws `invalid` when the input does not fit together, `malformed` for broken cells, `unavailable` when no emulator is
 * ready
 */
export function* masterchainBlockSteps(input: MasterchainCollation): Steps<CollatedMasterchainBlock> {
  const shard = { workchain: MASTERCHAIN, shard: SHARD_ALL }
  const taken = takeShards(masterConfig(input.master), input.shards, input.now)
  const draft = startDraft(
    input,
    shard,
    ({ source }) => namedShards(buildShardHashes(taken.entries), source),
    ({ state }) => alignedLt(laterLt(state.gen_lt, taken.end_lt)),
  )
  const { master, previous } = draft
  const isSpecial = (id: Buffer): boolean => isFundamentalSmc(master.params, id)
  yield* cleanQueue(draft)
  const income = masterchainIncome(master, taken.fees, previous.total_validator_fees)
  yield* runTickTock(draft, 'tick')
  const { fee_collector, minter, recovered, minted } = income
  const payments = {
    recover_create_msg: fee_collector && paySpecial(draft, fee_collector, recovered),
    mint_msg: minter && paySpecial(draft, minter, minted),
  }
  yield* releaseMessages(draft)
  yield* importMessages(draft)
  const outcome = yield* importExternals(draft)
  yield* forwardMessages(draft, !draft.inbound_done, isSpecial)
  yield* runTickTock(draft, 'tock')
  yield* forwardMessages(draft, true, isSpecial)
  return yield* finishMasterchain(draft, input, { taken, income, payments, outcome })
}
