import { type BlockIdExt, MASTERCHAIN, sameBlock } from '../../ton/block-id.ts'
import type { Cell } from '../../ton/cell.ts'
import { type ChainView, viewAt } from '../chain-view.ts'
import { isOldBlock, masterchainId, nextKeyBlock, prevKeyBlock } from '../key-blocks.ts'
import { BAD_REQUEST, liteError, NOT_READY } from '../lite-error.ts'
import { fullIdText, isFullId } from '../load.ts'
import type { Handlers } from '../query.ts'
import { type BlockLink, backLink, forwardLink, keyBlockValidators, stateValidators } from './block-links.ts'

const MAX_LINKS = 16
const WITH_TARGET = 1
/** The proof is built on the newer one of the two blocks instead of the head. */
const FROM_NEWER_BLOCK = 0x1000

const validatorsOf = (view: ChainView, key: BlockIdExt): Cell =>
  key.seqno === 0
    ? stateValidators(view.chain.zerostate(MASTERCHAIN)!.root)
    : keyBlockValidators(view.masterchain(key.seqno)!.root)

/**
 * A forward link from a key block towards `target`: to the next key block, or else to the target itself. Where the
 * recording lacks the target's signatures the link goes to the first later block that has them; from there a link leads
 * back. Throws code 651 when there is none.
 */
const forward = (view: ChainView, from: BlockIdExt, target: BlockIdExt): BlockLink => {
  const key = nextKeyBlock(view, from.seqno + 1)
  const last = key ? key.seqno : view.head.id.seqno
  for (let seqno = key ? key.seqno : target.seqno; seqno <= last; seqno++) {
    const set = view.chain.signatures(seqno)
    if (set) return forwardLink(from, validatorsOf(view, from), view.masterchain(seqno)!, set)
  }
  const wanted = fullIdText(key ?? target)
  throw liteError(NOT_READY, `the archive has no validator signatures of masterchain block ${wanted}`)
}

const nextLink = (view: ChainView, at: BlockIdExt, target: BlockIdExt): BlockLink => {
  if (target.seqno === at.seqno)
    throw liteError(
      BAD_REQUEST,
      `cannot have two different masterchain blocks ${fullIdText(target)} and ${fullIdText(at)} of the same height`,
    )
  const key = prevKeyBlock(view, at.seqno)
  if (target.seqno > at.seqno && key.seqno === at.seqno) return forward(view, at, target)
  const to = target.seqno < at.seqno ? target : key
  return backLink(view.masterchain(at.seqno)!, { id: to, block: view.masterchain(to.seqno) })
}

const checkKnown = (view: ChainView, id: BlockIdExt, role: string): void => {
  const reference = fullIdText(view.head.id)
  if (id.seqno > view.head.id.seqno)
    throw liteError(
      BAD_REQUEST,
      `client knows block ${fullIdText(id)} newer than the reference masterchain block ${reference}`,
    )
  if (!isOldBlock(view, id))
    throw liteError(
      BAD_REQUEST,
      `proof ${role} masterchain block ${fullIdText(id)} is unknown from the perspective of reference block ${reference}`,
    )
}

const checkMasterchain = (id: BlockIdExt, role: string): void => {
  if (id.workchain !== MASTERCHAIN || !isFullId(id))
    throw liteError(BAD_REQUEST, `${role} block ${fullIdText(id)} is not a valid masterchain block id`)
}

/** The view that a proof between two blocks is built on. */
const baseView = (view: ChainView, from: BlockIdExt, to: BlockIdExt, mode: number): ChainView => {
  if (!(mode & WITH_TARGET) || !(mode & FROM_NEWER_BLOCK)) return view
  const newer = from.seqno > to.seqno ? from : to
  const known = newer.seqno === 0 ? undefined : masterchainId(view, newer.seqno)
  if (!known || !sameBlock(known, newer)) throw liteError(NOT_READY, 'state not in db')
  return viewAt(view.chain, newer.seqno)
}

export const blockProof = {
  'liteServer.getBlockProof': ({ view: latest }, { mode, known_block: from, target_block }) => {
    checkMasterchain(from, 'source')
    if (target_block) checkMasterchain(target_block, 'destination')
    const target = target_block ?? latest.head.id
    const view = baseView(latest, from, target, mode)
    checkKnown(view, from, 'source')
    checkKnown(view, target, 'destination')
    const steps: BlockLink[] = []
    let at = from
    while (steps.length < MAX_LINKS && !sameBlock(at, target)) {
      const link = nextLink(view, at, target)
      steps.push(link)
      at = link.to
    }
    return { _: 'liteServer.partialBlockProof', complete: sameBlock(at, target), from, to: at, steps }
  },
} satisfies Partial<Handlers>
