import { TonlithError } from '../common/errors.ts'
import type { StopSignal } from '../common/stop.ts'
import { getConfigAll } from '../liteserver/client.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import type { Cell } from '../ton/cell.ts'
import { configParam } from '../ton/tlb/config-params.ts'
import { pinBlock, readHeader } from './blocks.ts'
import type { Chain } from './chain.ts'

export interface ConfigQuery {
  /** Masterchain block whose configuration is meant; the newest one when undefined. */
  seqno: number | undefined
  signal: StopSignal
}

const loadConfig = (chain: Chain, id: BlockIdExt): Promise<Cell> =>
  chain.pool.run(
    async (query) => {
      const { config } = chain.trust.checkConfig(await getConfigAll(query, id), { mode: 0, id })
      if (config.level !== 0) throw new TonlithError('proof', 'configuration with missing parts')
      return config
    },
    { minSeqno: id.seqno },
  )

/**
 * Root of the configuration's dictionary (Hashmap 32 ^Cell) in force after a masterchain block. It changes at key blocks
 * only, so one copy serves all blocks up to the next of them.
 */
export const configAt = async (chain: Chain, id: BlockIdExt): Promise<Cell> => {
  const { is_key_block, prev_key_block_seqno } = await readHeader(chain, id)
  const key = is_key_block ? id.seqno : prev_key_block_seqno
  return chain.configs.get(String(key), () => loadConfig(chain, id))
}

/** Root of the dictionary of all configuration parameters. */
export const readConfig = async (chain: Chain, { seqno, signal }: ConfigQuery): Promise<Cell> => {
  const { id } = await pinBlock(chain, seqno, signal)
  return configAt(chain, id)
}

/** The value of one configuration parameter, or null when there is no such parameter. */
export const readConfigParam = async (chain: Chain, index: number, query: ConfigQuery): Promise<Cell | null> =>
  configParam(await readConfig(chain, query), index)
