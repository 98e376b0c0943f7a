import { TonlithError } from '../../common/errors.ts'
import { shardHex } from '../../ton/block-id.ts'
import { coveringShard, exactShard } from '../../ton/tlb/shard-hashes.ts'
import { shardChild } from '../../ton/tlb/shard-ident.ts'
import { parseCatchainConfig, parseValidatorSet } from '../../ton/tlb/validators.ts'
import { type ValidatorSubset, validatorSubset } from '../../ton/validator-set.ts'
import { type MasterConfig, neededParam } from './master-config.ts'
import type { ShardId } from './routing.ts'

const CATCHAIN_CONFIG = 28
const CURRENT_VALIDATORS = 34

/** The catchain seqno under which the next block of a shard is made (node: ConfigInfo::get_shard_cc_seqno). */
const catchainSeqno = ({ extra }: MasterConfig, { workchain, shard }: ShardId): number => {
  const entry = coveringShard(extra.shard_hashes, workchain, shard)
  if (entry) return entry.descr.next_catchain_seqno
  const halves = [false, true].map((right) => exactShard(extra.shard_hashes, workchain, shardChild(shard, right)))
  const seqnos = halves.map((half) => half?.descr.next_catchain_seqno)
  if (seqnos.some((seqno) => seqno === undefined))
    throw new TonlithError('invalid', `the masterchain has no shard like ${shardHex(shard)}`)
  return Math.max(...seqnos.map((seqno) => seqno!)) + 1
}

/** The validators who make the next block of a basechain shard. Throws `invalid`, `malformed`. */
export const shardValidators = (master: MasterConfig, shard: ShardId): ValidatorSubset =>
  validatorSubset(
    parseValidatorSet(neededParam(master.params, CURRENT_VALIDATORS)),
    parseCatchainConfig(neededParam(master.params, CATCHAIN_CONFIG)),
    shard,
    catchainSeqno(master, shard),
  )
