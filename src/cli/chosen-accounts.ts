import type { Logger } from '../common/logger.ts'
import { chosenRevision, listChosen, openChosenStore } from '../store/chosen-accounts.ts'
import { openForServer } from './open-for-server.ts'

/** Which accounts an index is to be about: those of the file in the settings, and those of `tonlith index accounts`. */
export interface ChosenAccounts {
  /**
   * Raw addresses in order; undefined when nobody chose any. Cheap: the same array until the list changes, which shows
   * from the next turn of the loop on.
   */
  read(): readonly string[] | undefined
  close(): Promise<void>
}

/**
 * Opens the list of chosen accounts in a data folder.
 * @param listed raw addresses of the file in the settings
 * @throws TonlithError as openForServer does
 */
export const openChosenAccounts = async (
  data: string,
  listed: readonly string[] | undefined,
  logger: Logger,
): Promise<ChosenAccounts> => {
  const store = await openForServer(
    (readOnly) => openChosenStore(data, readOnly),
    (reason) => logger.warn({ reason }, 'the list of chosen accounts cannot be read'),
  )
  const ofFile = listed && [...new Set(listed)].sort()
  let [seen, chosen] = [0, ofFile]
  return {
    read: () => {
      const revision = store ? chosenRevision(store) : 0
      if (!store || revision === seen) return chosen
      chosen = [...new Set([...(ofFile ?? []), ...listChosen(store).map(({ address }) => address)])].sort()
      seen = revision
      return chosen
    },
    close: async () => store?.close(),
  }
}
