import { type BlockIdExt, MASTERCHAIN, sameBlock } from '../ton/block-id.ts'
import type { ChainView } from './chain-view.ts'

/** Id of the masterchain block with this seqno, of the zerostate for 0; undefined beyond the head. */
export const masterchainId = (view: ChainView, seqno: number): BlockIdExt | undefined =>
  seqno === 0 ? view.chain.zerostate(MASTERCHAIN)?.id : view.masterchain(seqno)?.id

/** True for the head, the masterchain blocks before it, and the zerostate. */
export const isOldBlock = (view: ChainView, id: BlockIdExt): boolean => {
  const known = masterchainId(view, id.seqno)
  return known !== undefined && sameBlock(known, id)
}

/** The last key block with at most this seqno; before the first one the zerostate. */
export const prevKeyBlock = (view: ChainView, seqno: number): BlockIdExt =>
  masterchainId(view, view.chain.prevKeyBlock(seqno))!

/** The first key block with at least this seqno, as far as the head knows. */
export const nextKeyBlock = (view: ChainView, seqno: number): BlockIdExt | undefined => {
  const next = view.chain.nextKeyBlock(seqno)
  return next === undefined ? undefined : masterchainId(view, next)
}
