import { EMBEDDED } from '../config/kinds.ts'
import { embeddedRecording, folderReader, type Recording, readRecording } from '../devnet/archive.ts'

/**
 * The recorded network that a setting or a flag names: a folder, or EMBEDDED for the one in the program.
 * @throws TonlithError `invalid` for a folder that has none
 */
export const recordingAt = (place: string): Recording =>
  place === EMBEDDED ? embeddedRecording() : readRecording(folderReader(place))
