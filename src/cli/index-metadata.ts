import { rmSync } from 'node:fs'
import type { Clock } from '../common/clock.ts'
import { isTonlithError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import { createFetchUri } from '../indexer/metadata/fetch-uri.ts'
import { createMetadataFetcher, type MetadataFetcher } from '../indexer/metadata/fetcher.ts'
import { scanTokens, type Tokens } from '../indexer/metadata/token-scan.ts'
import { storeFailure } from '../store/failure.ts'
import { type MetadataStore, openMetadataStore } from '../store/metadata-store.ts'
import type { IndexOrder } from './index-messages.ts'

/** The fetching of metadata beside an index. */
export interface IndexMetadata {
  fetcher: MetadataFetcher
  /** Begins. What goes wrong with it is logged, and keeps nothing else from going on. */
  start(tokens: Tokens): void
  /** Ends it. */
  close(): Promise<void>
}

/** Opens what was kept. What cannot be read is made anew, as it can be fetched again. */
const openStore = async (folder: string, logger: Logger): Promise<MetadataStore> => {
  try {
    return await openMetadataStore(folder)
  } catch (error) {
    if (!isTonlithError(error, 'invalid') && !isTonlithError(error, 'malformed')) throw error
    logger.warn({ reason: error.message }, 'metadata is fetched anew')
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch (cause) {
      throw storeFailure(cause, folder)
    }
    return openMetadataStore(folder)
  }
}

/** Opens the metadata beside an index; undefined where its folder cannot be written to. */
export const openIndexMetadata = async (
  { folder, online, gateway }: IndexOrder['metadata'],
  clock: Clock,
  logger: Logger,
  signal: AbortSignal,
): Promise<IndexMetadata | undefined> => {
  let store: MetadataStore
  try {
    store = await openStore(folder, logger)
  } catch (error) {
    if (!isTonlithError(error)) throw error
    logger.warn({ reason: error.message }, 'no metadata is kept')
    return undefined
  }
  const base = new URL(gateway)
  const ending = new AbortController()
  const either = AbortSignal.any([signal, ending.signal])
  const fetchUri = createFetchUri({ gateway: base })
  const fetcher = createMetadataFetcher({ store, fetchUri, gateway: base, online, clock, logger, signal: either })
  const logged = (part: Promise<void>): Promise<void> =>
    part.catch((err) => logger.error({ err }, 'a part of the fetching of metadata has ended'))
  let work: Promise<unknown> = Promise.resolve()
  return {
    fetcher,
    start: (tokens) => {
      const scan = scanTokens({ tokens, fetcher, clock, signal: either })
      work = Promise.all([logged(fetcher.run()), logged(scan)])
    },
    close: async () => {
      ending.abort()
      await work
      await store.close()
    },
  }
}
