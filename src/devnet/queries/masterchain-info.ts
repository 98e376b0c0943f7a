import type { BlockIdExt } from '../../ton/block-id.ts'
import { MASTERCHAIN } from '../../ton/block-id.ts'
import type { ChainView } from '../chain-view.ts'
import { BAD_REQUEST, liteError } from '../lite-error.ts'
import type { Handlers } from '../query.ts'

/** The liteserver protocol that is spoken: version 1.1 as 0x101, capabilities 1, 2 and 4. */
const VERSION = 0x101
const CAPABILITIES = 7n

const zeroStateId = (view: ChainView) => {
  const { workchain, root_hash, file_hash }: BlockIdExt = view.chain.zerostate(MASTERCHAIN)!.id
  return { workchain, root_hash, file_hash }
}

export const masterchainInfo = {
  'liteServer.getMasterchainInfo': ({ view }) => ({
    _: 'liteServer.masterchainInfo',
    last: view.head.id,
    state_root_hash: view.head.state.hash(),
    init: zeroStateId(view),
  }),
  'liteServer.getMasterchainInfoExt': ({ view, now }, { mode }) => {
    if (mode !== 0) throw liteError(BAD_REQUEST, 'unsupported getMasterchainInfo mode')
    return {
      _: 'liteServer.masterchainInfoExt',
      mode,
      version: VERSION,
      capabilities: CAPABILITIES,
      last: view.head.id,
      last_utime: view.head.info.gen_utime,
      now,
      state_root_hash: view.head.state.hash(),
      init: zeroStateId(view),
    }
  },
  'liteServer.getTime': ({ now }) => ({ _: 'liteServer.currentTime', now }),
  'liteServer.getVersion': ({ now }) => ({
    _: 'liteServer.version',
    mode: 0,
    version: VERSION,
    capabilities: CAPABILITIES,
    now,
  }),
} satisfies Partial<Handlers>
