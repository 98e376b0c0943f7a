import { MASTERCHAIN, shardContains } from '../../ton/block-id.ts'
import type { Cell } from '../../ton/cell.ts'
import type { LiteAnswer, LiteRequest } from '../../ton/tl/lite-api.ts'
import { parseAccount } from '../../ton/tlb/account.ts'
import { shardAccount } from '../../ton/tlb/shard-state.ts'
import type { ChainBlock } from '../chain.ts'
import type { ChainView } from '../chain-view.ts'
import { BAD_REQUEST, liteError } from '../lite-error.ts'
import { loadBlock, loadMasterchainBlock, NO_BLOCK } from '../load.ts'
import { bag, openAll, openState, prove, stateRootProof } from '../proofs.ts'
import type { Handlers } from '../query.ts'
import { provenShard } from './shards.ts'

/** A masterchain block with this seqno stands for the last one. */
const LATEST = -1

type AccountRequest = Pick<LiteRequest<'liteServer.getAccountState'>, 'id' | 'account'>

/** The block that the question refers to, after the node's checks. */
const reference = (view: ChainView, { id, account }: AccountRequest): ChainBlock => {
  const { workchain } = account
  if (id.workchain !== MASTERCHAIN && id.workchain !== workchain)
    throw liteError(BAD_REQUEST, 'reference block for a getAccountState() must belong to the masterchain')
  if (workchain === id.workchain && !shardContains(id.shard, account.id.readBigInt64BE(0)))
    throw liteError(BAD_REQUEST, 'requested account id is not contained in the shard of the reference block')
  if (id.workchain !== MASTERCHAIN) return loadBlock(view, id)
  return id.seqno === LATEST ? view.head : loadMasterchainBlock(view, id)
}

/** The account without code, data and libraries, as a proof of its cell. */
const pruned = (account: Cell): Cell =>
  prove(account, (root) => {
    const parsed = parseAccount(root)
    if (parsed._ === 'account') openAll(parsed.storage.balance.other)
  }).proof

/** Where an account stands, and the proofs that lead there from the block that the question refers to. */
export interface LocatedAccount {
  base: ChainBlock
  /** The block whose state would hold the account; undefined when the network has no such shard. */
  shard: ChainBlock | undefined
  shard_proof: Buffer
  proof: Buffer
  /** TL-B Account; null when the shard does not hold it. */
  account: Cell | null
}

/** Finds an account as a node does. Throws the node's errors. */
export const locateAccount = (view: ChainView, request: AccountRequest): LocatedAccount => {
  const { workchain, id } = request.account
  const base = reference(view, request)
  let shard = base
  let shard_proof = bag()
  if (base.id.workchain === MASTERCHAIN && workchain !== MASTERCHAIN) {
    const { found, proofs } = provenShard(base, workchain, id.readBigInt64BE(0) | 1n, false)
    if (!found) return { base, shard: undefined, shard_proof: proofs, proof: bag(), account: null }
    shard = loadBlock(view, found.id)
    shard_proof = proofs
  }
  const { value, proof } = prove(shard.state, (root) => shardAccount(openState(root).accounts, id))
  return { base, shard, shard_proof, proof: bag(stateRootProof(shard), proof), account: value?.account ?? null }
}

/** The answer to getAccountState, in which `form` says how much of the account is shown. */
export const accountStateAnswer = (
  { base, shard, shard_proof, proof, account }: LocatedAccount,
  form: (account: Cell) => Cell,
): LiteAnswer<'liteServer.getAccountState'> => ({
  _: 'liteServer.accountState',
  id: base.id,
  shardblk: shard?.id ?? NO_BLOCK,
  shard_proof,
  proof,
  state: account ? bag(form(account)) : bag(),
})

export const accounts = {
  'liteServer.getAccountState': ({ view }, request) =>
    accountStateAnswer(locateAccount(view, request), (account) => account),
  'liteServer.getAccountStatePrunned': ({ view }, request) => accountStateAnswer(locateAccount(view, request), pruned),
} satisfies Partial<Handlers>
