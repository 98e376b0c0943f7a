import type { BlockIdExt } from '../../ton/block-id.ts'
import { MASTERCHAIN } from '../../ton/block-id.ts'
import type { Cell } from '../../ton/cell.ts'
import type { LiteAnswer } from '../../ton/tl/lite-api.ts'
import { type ConfigParams, configParam } from '../../ton/tlb/config-params.ts'
import {
  type McStateHistory,
  oldMcBlock,
  parseMcStateExtra,
  parseMcStateHistory,
} from '../../ton/tlb/mc-state-extra.ts'
import type { ChainBlock } from '../chain.ts'
import type { ChainView } from '../chain-view.ts'
import { isOldBlock, prevKeyBlock } from '../key-blocks.ts'
import { BAD_REQUEST, liteError } from '../lite-error.ts'
import { fullIdText, isFullId, loadMasterchainBlock } from '../load.ts'
import { bag, keyBlockConfig, openAll, openHeader, openState, prove, stateRootProof } from '../proofs.ts'
import type { Handlers, QueryContext } from '../query.ts'

/** What `mode` adds to the parameters that are asked for (node: ConfigInfo, Config). */
const NEED_VALIDATOR_SET = 16
const NEED_SPECIAL_SMC = 32
const NEED_PREV_BLOCKS = 128
const NEED_WORKCHAIN_INFO = 256
const NEED_CAPABILITIES = 512
/** The parameters come from the last key block instead of the state. */
const FROM_KEY_BLOCK = 0x8000

const LAST_BLOCKS = 16
const HUNDRED = 100

/** Opens the parameters; all of them when no list is given. */
type OpenParams = (config: Cell) => void

const openParam = (config: Cell, index: number): void => openAll(configParam(config, index))

const openNeeded = ({ config }: ConfigParams, mode: number): void => {
  if (mode & NEED_VALIDATOR_SET) openAll(configParam(config, 35) ?? configParam(config, 34))
  if (mode & NEED_SPECIAL_SMC) openParam(config, 31)
  if (mode & NEED_WORKCHAIN_INFO) openParam(config, 12)
  if (mode & NEED_CAPABILITIES) openParam(config, 8)
}

/** The earlier blocks that contracts see: the last 16 and the last 16 of every hundredth; and the zerostate. */
const openPrevBlocks = ({ prev_blocks }: McStateHistory, seqno: number): void => {
  for (let i = 1; i < LAST_BLOCKS && i <= seqno; i++) oldMcBlock(prev_blocks, seqno - i)
  oldMcBlock(prev_blocks, 0)
  let hundredth = seqno - (seqno % HUNDRED)
  for (let i = 0; i < LAST_BLOCKS && hundredth >= 0; i++, hundredth -= HUNDRED)
    if (hundredth !== seqno) oldMcBlock(prev_blocks, hundredth)
}

const fromState = (block: ChainBlock, mode: number, open: OpenParams): Cell =>
  prove(block.state, (root) => {
    const extra = parseMcStateExtra(openState(root).custom!)
    const history = parseMcStateHistory(extra.history)
    openNeeded(extra.config, mode)
    open(extra.config.config)
    if (mode & NEED_PREV_BLOCKS) openPrevBlocks(history, block.id.seqno)
  }).proof

const fromKeyBlock = (block: ChainBlock, mode: number, open: OpenParams): Cell =>
  prove(block.root, (root) => {
    openHeader(root)
    const config = keyBlockConfig(root)
    openNeeded(config, mode & ~NEED_PREV_BLOCKS)
    open(config.config)
  }).proof

/** The key block that rules the given block, itself if it is one. */
const keyBlock = (view: ChainView, id: BlockIdExt): ChainBlock => {
  const reference = fullIdText(view.head.id)
  if (id.seqno > view.head.id.seqno)
    throw liteError(0, `client knows block ${fullIdText(id)} newer than the reference masterchain block ${reference}`)
  if (!isOldBlock(view, id))
    throw liteError(
      0,
      `requested masterchain block ${fullIdText(id)} is unknown from the perspective of reference block ${reference}`,
    )
  return loadMasterchainBlock(view, prevKeyBlock(view, id.seqno))
}

const configInfo = (
  { view }: QueryContext,
  id: BlockIdExt,
  requested: number,
  open: OpenParams,
): LiteAnswer<'liteServer.getConfigAll'> => {
  if (id.workchain !== MASTERCHAIN || !isFullId(id))
    throw liteError(BAD_REQUEST, 'configuration parameters can be loaded with respect to a masterchain block only')
  let mode = requested & 0xffff
  if (mode & FROM_KEY_BLOCK) {
    const block = keyBlock(view, id)
    const config_proof = bag(fromKeyBlock(block, mode, open))
    return { _: 'liteServer.configInfo', mode, id: block.id, state_proof: bag(), config_proof }
  }
  if (mode & NEED_PREV_BLOCKS) mode |= NEED_CAPABILITIES
  const block = loadMasterchainBlock(view, id)
  const config_proof = bag(fromState(block, mode, open))
  return { _: 'liteServer.configInfo', mode, id, state_proof: bag(stateRootProof(block)), config_proof }
}

export const config = {
  'liteServer.getConfigAll': (context, { id, mode }) => configInfo(context, id, mode, openAll),
  'liteServer.getConfigParams': (context, { id, mode, param_list }) =>
    configInfo(context, id, mode, (root) => {
      for (const index of param_list) openParam(root, index)
    }),
} satisfies Partial<Handlers>
