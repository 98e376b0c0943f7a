import { LRUCache } from 'lru-cache'
import type { Clock } from '../common/clock.ts'
import { isTonlithError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import { isDue } from '../indexer/metadata/next-row.ts'
import type { DocumentOf } from '../model/token-info.ts'
import { readDocument } from '../store/metadata-rows.ts'
import { type MetadataStore, openMetadataStore } from '../store/metadata-store.ts'
import type { IndexOrder } from './index-messages.ts'

/** How many URIs are asked for in one message, and how long after the first of them. */
const MAX_ASKED = 1_000
const ASK_MS = 50
/** A URI is asked for once in so long. */
const ASKED_MS = 30_000
const REMEMBERED = 20_000

/** The documents of tokens, open for reading. */
export interface TokenDocuments {
  documentOf: DocumentOf
  close(): Promise<void>
}

interface Asking {
  /** False: what is not known yet never will be. */
  online: boolean
  /** Has URIs fetched before others. */
  ask(uris: string[]): void
  clock: Clock
}

const isLocal = (uri: string): boolean => /^data:/i.test(uri)

/** Reads the documents of tokens, and asks for those that are not there or have become old. */
export const createTokenDocuments = (store: MetadataStore, { online, ask, clock }: Asking): TokenDocuments => {
  const asked = new LRUCache<string, true>({ max: REMEMBERED, ttl: ASKED_MS })
  let wanted: string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  const send = (): void => {
    const uris = wanted
    timer = undefined
    wanted = []
    ask(uris)
  }

  const want = (uri: string): void => {
    if (wanted.length >= MAX_ASKED || asked.has(uri)) return
    asked.set(uri, true)
    wanted.push(uri)
    timer ??= setTimeout(send, ASK_MS)
  }

  return {
    documentOf: (uri) => {
      const row = readDocument(store, uri)
      const isFetched = online || isLocal(uri)
      if (isFetched && (!row || isDue(row, Math.floor(clock.now() / 1000)))) want(uri)
      return row?.document ?? (isFetched ? undefined : { _: 'failed' })
    },
    close: () => {
      clearTimeout(timer)
      return store.close()
    },
  }
}

/** Opens the documents of tokens; undefined where there are none to be read: then nothing is known of any. */
export const openTokenDocuments = async (
  { folder, online }: IndexOrder['metadata'],
  { readOnly, logger, ...asking }: Omit<Asking, 'online'> & { readOnly: boolean; logger: Logger },
): Promise<TokenDocuments | undefined> => {
  try {
    const store = await openMetadataStore(folder, readOnly ? { readOnly } : { believed: true })
    return createTokenDocuments(store, { online, ...asking })
  } catch (error) {
    if (!isTonlithError(error)) throw error
    logger.warn({ reason: error.message }, 'metadata cannot be read')
    return undefined
  }
}
