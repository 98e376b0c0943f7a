import { TonlithError } from '../common/errors.ts'
import type { GlobalConfig } from '../liteserver/global-config.ts'
import { MASTERCHAIN } from '../ton/block-id.ts'
import type { Chain } from './chain-store.ts'
import { viewAt } from './chain-view.ts'
import { masterchainId } from './key-blocks.ts'
import type { Liteserver } from './liteserver-server.ts'

/**
 * The global config of an archive that a liteserver of ours serves: that one server, the zerostate, and the block that
 * trust starts from. By default that is the block at which the server stands: a recording has the validators' signatures
 * of a few blocks only, so trust cannot be led on from an earlier one, but links lead back from it to every earlier block.
 * `initSeqno` names another one, 0 the zerostate. Throws `invalid` when the archive does not have it.
 */
export const archiveGlobalConfig = (archive: Chain, server: Liteserver, initSeqno = server.head()): GlobalConfig => {
  const initBlock = masterchainId(viewAt(archive, archive.last), initSeqno)
  if (!initBlock) throw new TonlithError('invalid', `the archive has no masterchain block ${initSeqno}`)
  return {
    liteservers: [{ ...server.address, key: server.publicKey }],
    zeroState: archive.zerostate(MASTERCHAIN)!.id,
    initBlock,
  }
}
