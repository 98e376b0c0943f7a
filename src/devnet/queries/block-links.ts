import type { BlockIdExt } from '../../ton/block-id.ts'
import type { Cell } from '../../ton/cell.ts'
import type { Boxed } from '../../ton/tl/types.ts'
import { configParam } from '../../ton/tlb/config-params.ts'
import { oldMcBlock, parseMcStateExtra, parseMcStateHistory } from '../../ton/tlb/mc-state-extra.ts'
import type { SignatureSet } from '../archive-signatures.ts'
import type { ChainBlock } from '../chain.ts'
import { bag, keyBlockConfig, openAll, openHeader, openState, prove, stateRootProof } from '../proofs.ts'

export type BlockLink = Boxed<'liteServer.BlockLink'>

/** Where a link leads: a masterchain block, or the zerostate, which has no header to prove. */
export type Destination = { id: BlockIdExt; block: ChainBlock | undefined }

const VALIDATOR_PARAMS = [28, 34, 35]

const openValidators = (config: Cell): void => {
  for (const index of VALIDATOR_PARAMS) openAll(configParam(config, index))
}

const headerOf = ({ block }: Destination): { to_key_block: boolean; dest_proof: Buffer } =>
  block
    ? { to_key_block: block.info.key_block, dest_proof: bag(prove(block.root, openHeader).proof) }
    : { to_key_block: true, dest_proof: bag() }

/** Proof that a masterchain state lists earlier blocks (0 for the zerostate). */
export const ancestorProof = (state: Cell, ...seqnos: number[]): Cell =>
  prove(state, (root) => {
    const { history } = parseMcStateExtra(openState(root).custom!)
    const { prev_blocks } = parseMcStateHistory(history)
    for (const seqno of seqnos) oldMcBlock(prev_blocks, seqno)
  }).proof

/** Link from a masterchain block to an earlier one that its state lists. Proves the zerostate too, as the node does. */
export const backLink = (from: ChainBlock, to: Destination): BlockLink => ({
  _: 'liteServer.blockLinkBack',
  from: from.id,
  to: to.id,
  ...headerOf(to),
  proof: bag(stateRootProof(from)),
  state_proof: bag(ancestorProof(from.state, 0, to.id.seqno)),
})

/** Proof of the validators that a key block appoints. */
export const keyBlockValidators = (root: Cell): Cell =>
  prove(root, (recorded) => {
    openHeader(recorded)
    openValidators(keyBlockConfig(recorded).config)
  }).proof

/** Proof of the validators that a masterchain state names. */
export const stateValidators = (root: Cell): Cell =>
  prove(root, (recorded) => openValidators(parseMcStateExtra(openState(recorded).custom!).config.config)).proof

/** Link from a key block (or the zerostate) to a later block that its validators signed. */
export const forwardLink = (
  from: BlockIdExt,
  config_proof: Cell,
  to: ChainBlock,
  signatures: SignatureSet,
): BlockLink => ({
  _: 'liteServer.blockLinkForward',
  from,
  to: to.id,
  ...headerOf({ id: to.id, block: to }),
  config_proof: bag(config_proof),
  signatures,
})
