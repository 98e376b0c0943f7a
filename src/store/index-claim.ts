import { storeFailure } from './failure.ts'
import { claimWriter, type WriterClaim } from './single-writer.ts'
import { removeUnfinished } from './unfinished.ts'

/**
 * Claims the right to write the index in a folder, and removes what a compaction or an import has left there that did
 * not come to its end. Throws as claimWriter does.
 */
export const claimIndex = (folder: string): WriterClaim => {
  const claim = claimWriter(`${folder}.writer`)
  try {
    removeUnfinished(folder)
    return claim
  } catch (error) {
    claim.release()
    throw storeFailure(error, folder)
  }
}
