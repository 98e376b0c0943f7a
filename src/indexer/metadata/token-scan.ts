import type { Clock } from '../../common/clock.ts'
import { nextTurn } from '../../common/next-turn.ts'
import { contentOf, uriOf } from '../../contracts/token-info.ts'
import type { DetectedAccount, Entity } from '../../model/entities.ts'
import type { Listed, Page } from '../../model/index-records.ts'
import type { EntityReader } from '../../store/queries/entity-reader.ts'
import type { MetadataFetcher } from './fetcher.ts'

/** The lists of what may refer to a document. */
export type Tokens = Pick<EntityReader, 'jettonMasters' | 'nftCollections' | 'nftItems'>

const PAGE = 100
const PAUSE_MS = 250
const ROUND_MS = 6 * 3_600_000

const urisOf = (entities: readonly Entity[]): string[] =>
  entities
    .map((entity) => contentOf(entity))
    .map((content) => content && uriOf(content))
    .filter((uri) => uri !== undefined)

/** Has fetched what accounts refer to that a block brought. */
export const wantDetected = (fetcher: MetadataFetcher, detected: readonly DetectedAccount[]): void => {
  for (const { entities } of detected) for (const uri of urisOf(entities)) fetcher.want(uri, 'new')
}

interface ScanOptions {
  tokens: Tokens
  fetcher: MetadataFetcher
  clock: Clock
  signal: AbortSignal
}

/**
 * Goes through all tokens again and again, slowly, and has fetched what they refer to: what was there before fetching was
 * on, what found no room, and what has become old. Ends with `signal`.
 */
export const scanTokens = async ({ tokens, fetcher, clock, signal }: ScanOptions): Promise<void> => {
  const pause = (ms: number): Promise<void> => clock.sleep(ms, signal)

  const scan = async (list: (page: Page) => Listed<{ entity: Entity }>): Promise<void> => {
    let after: Buffer | undefined
    while (!signal.aborted) {
      await pause(PAUSE_MS)
      await nextTurn()
      if (!fetcher.hasRoom()) continue
      const { records, next } = list({ limit: PAGE, offset: 0, sort: 'asc', after })
      for (const uri of urisOf(records.map(({ entity }) => entity))) fetcher.want(uri, 'known')
      if (next === null) return
      after = next
    }
  }

  while (!signal.aborted) {
    await scan((page) => tokens.jettonMasters({}, page))
    await scan((page) => tokens.nftCollections({}, page))
    await scan((page) => tokens.nftItems({}, page))
    await pause(ROUND_MS)
  }
}
