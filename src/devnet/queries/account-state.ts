import { MASTERCHAIN, shardContains } from '../../ton/block-id.ts'
import type { Cell } from '../../ton/cell.ts'
import type { LiteAnswer, LiteRequest } from '../../ton/tl/lite-api.ts'
import { parseAccount } from '../../ton/tlb/account.ts'
import { shardAccount } from '../../ton/tlb/shard-state.ts'
import type { ChainBlock } from '../chain-store.ts'
import type { ChainView } from '../chain-view.ts'
import { BAD_REQUEST, liteError } from '../lite-error.ts'
import { loadBlock, loadMasterchainBlock, NO_BLOCK } from '../load.ts'
import { bag, openAll, openState, prove, stateRootProof } from '../proofs.ts'
import type { Handlers, QueryContext } from '../query.ts'
import { provenShard } from './shards.ts'

/** A masterchain block with this seqno stands for the last one. */
const LATEST = -1

type Request = Pick<LiteRequest<'liteServer.getAccountState'>, 'id' | 'account'>

/** The block that the question refers to, after the node's checks. */
const reference = (view: ChainView, { id, account }: Request): ChainBlock => {
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

const accountState = (
  { view }: QueryContext,
  request: Request,
  form: (account: Cell) => Cell,
): LiteAnswer<'liteServer.getAccountState'> => {
  const { workchain, id } = request.account
  const base = reference(view, request)
  let shard = base
  let shard_proof = bag()
  if (base.id.workchain === MASTERCHAIN && workchain !== MASTERCHAIN) {
    const { found, proofs } = provenShard(base, workchain, id.readBigInt64BE(0) | 1n, false)
    const empty = { proof: bag(), state: bag() }
    if (!found) return { _: 'liteServer.accountState', id: base.id, shardblk: NO_BLOCK, shard_proof: proofs, ...empty }
    shard = loadBlock(view, found.id)
    shard_proof = proofs
  }
  const { value, proof } = prove(shard.state, (root) => shardAccount(openState(root).accounts, id))
  return {
    _: 'liteServer.accountState',
    id: base.id,
    shardblk: shard.id,
    shard_proof,
    proof: bag(stateRootProof(shard), proof),
    state: value ? bag(form(value.account)) : bag(),
  }
}

export const accounts = {
  'liteServer.getAccountState': (context, request) => accountState(context, request, (account) => account),
  'liteServer.getAccountStatePrunned': (context, request) => accountState(context, request, pruned),
} satisfies Partial<Handlers>
