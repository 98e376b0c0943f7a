import { embeddedRecording } from '../../src/devnet/archive.ts'
import { buildChain, type Chain } from '../../src/devnet/chain-store.ts'

let built: Chain | undefined

/** The recorded network with all of its states; built once for all tests. */
export const recordedChain = (): Chain => {
  built ??= buildChain(embeddedRecording())
  return built
}
