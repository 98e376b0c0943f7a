import { type BlockIdExt, shardContains } from '../block-id.ts'
import type { Cell } from '../cell.ts'
import type { Answer, Arguments } from '../tl/types.ts'
import type { ShardAccount } from '../tlb/account.ts'
import { shardBlockId } from '../tlb/shard-hashes.ts'
import { shardAccount } from '../tlb/shard-state.ts'
import { openStatePair } from './block.ts'
import { type Evidence, notProven, proofRoot, proving, sameId } from './evidence.ts'
import { knownShards, sameEntry } from './shards.ts'

/** An account as a block's state has it. */
export interface ProvenAccount {
  /** The block whose state holds the account; null where the workchain has no shard for it. */
  shard_block: BlockIdExt | null
  /** Unix seconds and end lt of that block; 0 without one. */
  gen_utime: number
  end_lt: bigint
  /** The account's last transaction, null when it provably has no entry. */
  shard_account: Omit<ShardAccount, 'account'> | null
  /** The account's cell (parseAccount), null without an entry; its code and data are pruned after getAccountStatePrunned. */
  account: Cell | null
}

type StateAnswer = Answer<'liteServer.getAccountState'>
type StateRequest = Arguments<'liteServer.getAccountState'> | Arguments<'liteServer.getAccountStatePrunned'>

const NO_ACCOUNT: ProvenAccount = { shard_block: null, gen_utime: 0, end_lt: 0n, shard_account: null, account: null }

/** The block that holds the account: the asked one itself, or the one that the masterchain's shard_hashes name. */
const shardBlockOf = (answer: StateAnswer, { id, account }: StateRequest, evidence: Evidence): BlockIdExt | null => {
  const prefix = account.id.readBigUInt64BE(0)
  if (account.workchain === id.workchain && shardContains(id.shard, prefix)) {
    sameId(answer.shardblk, id)
    return id
  }
  const entry = knownShards(answer, id, evidence).holding(account.workchain, prefix)
  sameEntry(answer.shardblk, entry)
  return entry && shardBlockId(entry)
}

const wholeAccount = (boc: Buffer, entry: ShardAccount, evidence: Evidence): Cell => {
  const root = proofRoot(boc)
  evidence.match(root, entry.account.hash(0), 'account')
  return root
}

const prunedAccount = (boc: Buffer, entry: ShardAccount, evidence: Evidence): Cell =>
  evidence.open(proofRoot(boc), entry.account.hash(0))

/** Of the entry what keeps nothing of the proof alive. */
const lastTransactionOf = ({ last_trans_hash, last_trans_lt }: ShardAccount): ProvenAccount['shard_account'] => ({
  last_trans_hash: Buffer.from(last_trans_hash),
  last_trans_lt,
})

const check = (
  answer: StateAnswer,
  request: StateRequest,
  evidence: Evidence,
  accountCell: typeof wholeAccount,
): ProvenAccount =>
  proving('account state', () => {
    sameId(answer.id, request.id)
    const shard_block = shardBlockOf(answer, request, evidence)
    if (!shard_block) {
      if (answer.state.length > 0) throw notProven('account without a shard')
      return NO_ACCOUNT
    }
    const { info, state } = openStatePair(answer.proof, shard_block, evidence)
    const entry = shardAccount(state.accounts, request.account.id)
    const proven = { shard_block, gen_utime: info.gen_utime, end_lt: info.end_lt }
    if (!entry) {
      if (answer.state.length > 0) throw notProven('account that the state does not hold')
      return { ...proven, shard_account: null, account: null }
    }
    return { ...proven, shard_account: lastTransactionOf(entry), account: accountCell(answer.state, entry, evidence) }
  })

/**
 * Answer to getAccountState: the account, whole, as the state of the asked block (or of the shard block that the asked
 * masterchain block names) has it. Throws `proof`.
 */
export const checkAccountState = (answer: StateAnswer, request: StateRequest, evidence: Evidence): ProvenAccount =>
  check(answer, request, evidence, wholeAccount)

/** The same for getAccountStatePrunned: the account comes as a proof of its cell. */
export const checkAccountStatePrunned = (
  answer: StateAnswer,
  request: StateRequest,
  evidence: Evidence,
): ProvenAccount => check(answer, request, evidence, prunedAccount)
