import { existsSync } from 'node:fs'
import { systemClock } from '../common/clock.ts'
import { isTonlithError, TonlithError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import type { Settings } from '../config.ts'
import type { GlobalConfig } from '../liteserver/global-config.ts'
import type { KeyNetwork } from '../model/api-key.ts'
import type { DocumentOf } from '../model/token-info.ts'
import { claimIndex } from '../store/claim.ts'
import { dataFile } from '../store/disk.ts'
import { settleScope } from '../store/index-scope.ts'
import { indexFolder, openIndexStore } from '../store/index-store.ts'
import { metadataFolder } from '../store/metadata-store.ts'
import type { IndexReader } from '../store/queries/index-reader.ts'
import { openIndexReader } from '../store/queries/open-index-reader.ts'
import { newestRange } from '../store/ranges.ts'
import { rawAddress } from '../ton/address.ts'
import { cacheParts } from './cache-parts.ts'
import { openChosenAccounts } from './chosen-accounts.ts'
import { readAccountList } from './index-accounts.ts'
import { type IndexHost, startIndexHost } from './index-host.ts'
import { type IndexOrder, networkOf, type SpawnIndexWorkers } from './index-messages.ts'
import { openTokenDocuments, type TokenDocuments } from './token-documents.ts'

/** The index of the network that is served. */
export interface LiveIndex {
  host: IndexHost
  /** Reads it; undefined until its Worker has opened it. */
  reader(): IndexReader | undefined
  /** What tokens refer to; undefined until it can be read. */
  documents(): DocumentOf | undefined
  /** Ends what reads and what writes. */
  stop(): Promise<void>
}

/** Where the index of a network is kept, and what is to be expected of that. */
export interface IndexPlace {
  /** The folder that it is in, with what is kept beside it. */
  home: string
  /** True where the chain can be read again from its beginning: an index that does not fit is made anew. */
  replaceable: boolean
  /** False where the chain may stand still for good. */
  moves: boolean
}

export interface LiveIndexOptions {
  settings: Settings
  /** The name of the network. */
  network: KeyNetwork
  servers: GlobalConfig
  place: IndexPlace
  spawn: SpawnIndexWorkers
  logger: Logger
}

/** What starts the index, once everything is known to be right. */
export type StartIndex = () => LiveIndex

/**
 * Looks whether an index can be kept, without keeping the caller waiting for it.
 * @throws TonlithError `invalid` for a folder that holds the index of another network or of another format, with the
 * command that helps, and for a list of accounts that cannot be read
 */
export const prepareIndex = async (options: LiveIndexOptions): Promise<StartIndex> => {
  const { settings, servers, place, spawn, logger } = options
  const { home, replaceable, moves } = place
  const folder = indexFolder(home)
  const network = networkOf(servers.zeroState)
  const file = settings.index_accounts
  const accounts = file === undefined ? undefined : readAccountList(file).map(rawAddress)
  if (!replaceable && existsSync(dataFile(folder))) await checkFolder(home, network, accounts, logger)
  const order: IndexOrder = {
    data: settings.data,
    folder,
    network,
    named: options.network,
    servers,
    trust: settings.trust,
    timeoutMs: settings.request_timeout,
    cache: cacheParts(settings.cache_memory),
    from: settings.index_from,
    backfillTo: settings.backfill_to,
    accounts,
    chosenIn: home,
    retain: settings.index_retain,
    metadata: {
      folder: metadataFolder(home),
      online: settings.metadata_fetch === 'on',
      gateway: settings.metadata_ipfs_gateway,
    },
    moves,
    replaceable,
    logLevel: settings.log_level,
    log: settings.log,
  }
  return () => {
    const claim = () => claimIndex(folder)
    const host = startIndexHost({ spawn, claim, order, clock: systemClock, logger })
    return { host, ...createReading(host, order, logger, { writesNever: false }) }
  }
}

/** A disk that cannot be written to now may be later, and a damaged index keeps nobody from live reads: the Worker tells. */
const checkFolder = async (
  home: string,
  network: string,
  listed: readonly string[] | undefined,
  logger: Logger,
): Promise<void> => {
  try {
    const store = await openIndexStore(indexFolder(home), network, { believed: true, older: 'accept' })
    try {
      const chosen = await openChosenAccounts(home, listed, logger)
      try {
        settleScope(store, chosen.read(), newestRange(store.tables) === undefined)
      } finally {
        await chosen.close()
      }
    } finally {
      await store.environment.close()
    }
  } catch (error) {
    if (!isTonlithError(error, 'unavailable') && !isTonlithError(error, 'malformed')) throw error
  }
}

/** An index that is open for reading. */
interface Reading {
  close(): Promise<void>
}

/**
 * Opens the index for reading once its Worker has opened it for writing, or where nothing can be written. One process has
 * a file open in one way only: what was opened for reading only is closed before the Worker starts.
 * @param options `writesNever`: the Worker is in another process
 */
export const createReading = (
  host: IndexHost,
  { folder, network, metadata, cache }: Pick<IndexOrder, 'folder' | 'network' | 'metadata' | 'cache'>,
  logger: Logger,
  { writesNever }: { writesNever: boolean },
): Omit<LiveIndex, 'host'> => {
  let reader: IndexReader | undefined
  let documents: TokenDocuments | undefined
  let opened: Promise<Reading | undefined> | undefined
  let opening = new AbortController()

  const open = async (readOnly: boolean, signal: AbortSignal): Promise<Reading> => {
    const looked = writesNever || !readOnly
    const cacheBytes = cache.index
    const store = await openIndexStore(folder, network, {
      readOnly,
      signal,
      cacheBytes,
      ...(looked && { believed: true }),
    })
    if (signal.aborted) {
      await store.environment.close()
      throw new TonlithError('unavailable', 'the index is closed')
    }
    reader = openIndexReader(store, host.noteDamage)
    const found = await openTokenDocuments(metadata, { readOnly, ask: host.want, clock: systemClock, logger })
    documents = found
    return {
      close: async () => {
        await found?.close()
        await store.environment.close()
      },
    }
  }

  const close = async (reading: Promise<Reading | undefined> | undefined): Promise<void> => {
    opening.abort()
    opened = undefined
    reader = undefined
    documents = undefined
    await (await reading)?.close()
  }

  const failed = (err: unknown): undefined => {
    if (isTonlithError(err, 'malformed')) host.noteDamage(err.message)
    else logger.error({ err }, 'the index cannot be read')
  }

  let isReadOnly = false
  const look = (): void => {
    const report = host.report()
    const readOnly = report.readOnly || writesNever
    if (opened && isReadOnly && !readOnly) {
      void close(opened)
      return
    }
    if (opened || !(report.status || (report.readOnly && existsSync(dataFile(folder))))) return
    isReadOnly = readOnly
    opening = new AbortController()
    const { signal } = opening
    const mine = open(readOnly, signal).catch((err) => {
      if (signal.aborted) return undefined
      if (!readOnly || writesNever) opened = undefined
      return failed(err)
    })
    opened = mine
  }

  look()
  const forget = host.onChange(look)
  return {
    reader: () => reader,
    documents: () => documents?.documentOf,
    stop: async () => {
      forget()
      await host.stop()
      await close(opened)
    },
  }
}
