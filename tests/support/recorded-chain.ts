import { embeddedRecording } from '../../src/devnet/archive.ts'
import { buildChain, type RecordedChain } from '../../src/devnet/recorded-chain.ts'

let built: RecordedChain | undefined

/** The recorded network with all of its states; built once for all tests. */
export const recordedChain = (): RecordedChain => {
  built ??= buildChain(embeddedRecording())
  return built
}
