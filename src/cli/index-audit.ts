import { randomInt } from 'node:crypto'
import { systemClock } from '../common/clock.ts'
import { TonlithError } from '../common/errors.ts'
import { seededRandom } from '../common/seeded-random.ts'
import type { IndexAction } from '../config/index-command.ts'
import type { Settings } from '../config.ts'
import { type AuditCounts, auditAccounts, type Incomparable } from '../indexer/audit/audit.ts'
import { type HeldAccount, readHeldAccounts } from '../indexer/audit/held-account.ts'
import { shownTexts } from '../indexer/audit/value-text.ts'
import { type IndexStore, openIndexStore } from '../store/index-store.ts'
import { allAccounts, sampleAccounts } from '../store/queries/samples.ts'
import { newestRange } from '../store/ranges.ts'
import { rawAddress } from '../ton/address.ts'
import type { SpawnTvmWorker } from '../tvm/pool.ts'
import type { Print } from './index-copies.ts'
import { startLiveSource } from './index-live-source.ts'

/** What is seen of the process. */
export interface Terminal {
  stderr: { isTTY?: boolean | undefined; write(text: string): unknown }
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
}

export interface AuditTools {
  print: Print
  spawnTvm: SpawnTvmWorker
  terminal: Terminal
}

type AuditAction = Extract<IndexAction, { action: 'audit' }>

const PROGRESS_MS = 200
const SEEDS = 2 ** 32
/** As the shell tells of what a signal ended. */
const STOPPED = 130
const CLEAR_LINE = '\r\u001b[K'

const WHY: Record<Incomparable, string> = {
  not_chosen: 'the index does not follow them',
  gap: 'they may have changed in blocks that are not indexed',
  gone: 'no liteserver has their states any more',
  unanswered: 'no liteserver answered',
}

const nothingIndexed = (): TonlithError => new TonlithError('notFound', 'no masterchain block is indexed')

const drawn = ({ tables }: IndexStore, { sample, seed = randomInt(SEEDS) }: AuditAction, print: Print) => {
  if (sample === 'all') return { ids: allAccounts(tables), total: tables.accounts.getCount() }
  print(`seed ${seed}`)
  const ids = sampleAccounts(tables, sample, seededRandom(seed))
  return { ids, total: ids.length }
}

/** Shows on a terminal how far it is, and nothing elsewhere. */
const watchProgress = ({ stderr }: Terminal, total: number) => {
  let shown = 0
  return {
    show: ({ accounts, incomparable, differences }: AuditCounts): void => {
      const now = systemClock.monotonic()
      if (!stderr.isTTY || now - shown < PROGRESS_MS) return
      shown = now
      const done = incomparable.values().reduce((sum, count) => sum + count, accounts)
      stderr.write(`${CLEAR_LINE}${done} of ${total} accounts, ${differences} differences`)
    },
    clear: (): void => {
      if (stderr.isTTY && shown > 0) stderr.write(CLEAR_LINE)
    },
  }
}

const summary = ({
  accounts,
  rows,
  differences,
  seqnos,
  ofTheirBlock,
  incomparable,
  trouble,
}: AuditCounts): string[] => {
  const kinds = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, count]) => `${count} ${kind}`)
  const where = !seqnos
    ? ''
    : seqnos.first === seqnos.last
      ? ` at ${seqnos.first}`
      : ` at ${seqnos.first} to ${seqnos.last}`
  const lines = [`${[`${accounts} accounts`, ...kinds].join(', ')}${where}: ${differences} differences`]
  if (ofTheirBlock > 0)
    lines.push(
      `${ofTheirBlock} accounts are as they were at their last change: other contracts or the time tell otherwise since`,
    )
  for (const [why, count] of incomparable) {
    const said = why === 'unanswered' && trouble !== undefined ? ` (${trouble})` : ''
    lines.push(`${count} accounts were not compared: ${WHY[why]}${said}`)
  }
  return lines
}

/**
 * Compares accounts of an index, and what they are, with the network. Gives the exit code: 1 for a difference, or when
 * accounts were asked about and none could be compared.
 * @throws TonlithError for whatever does not work
 */
export const audit = async (
  folder: string,
  action: AuditAction,
  settings: Settings,
  { print, spawnTvm, terminal }: AuditTools,
): Promise<number> => {
  const ending = new AbortController()
  const stop = (): void => {
    terminal.off('SIGINT', stop)
    ending.abort()
  }
  terminal.on('SIGINT', stop)
  const source = await startLiveSource(folder, action.archive, settings, spawnTvm)
  try {
    const store = await openIndexStore(folder, source.network, { readOnly: true })
    try {
      return await compare(store, action, source, { print, terminal, signal: ending.signal })
    } finally {
      await store.environment.close()
    }
  } catch (error) {
    if (!ending.signal.aborted) throw error
    return STOPPED
  } finally {
    terminal.off('SIGINT', stop)
    await source.stop()
  }
}

const compare = async (
  store: IndexStore,
  action: AuditAction,
  source: Awaited<ReturnType<typeof startLiveSource>>,
  { print, terminal, signal }: Pick<AuditTools, 'print' | 'terminal'> & { signal: AbortSignal },
): Promise<number> => {
  const newest = newestRange(store.tables)
  if (!newest) throw nothingIndexed()
  await source.reached(newest.last, signal)
  const { ids, total } = drawn(store, action, print)
  const progress = watchProgress(terminal, total)
  const read = (some: readonly number[]): HeldAccount[] => {
    const held = readHeldAccounts(store, some)
    if (!held) throw nothingIndexed()
    return held
  }
  const counts = await auditAccounts(ids, {
    read,
    open: (seqno) => source.open(seqno, signal),
    differs: (address, { kind, field, ...texts }) => {
      progress.clear()
      const [ours, live] = shownTexts(texts.ours, texts.live)
      print(`${kind} ${rawAddress(address)} ${field}: ours ${ours}, live ${live}`)
    },
    progress: progress.show,
    clock: systemClock,
    signal,
  })
  progress.clear()
  for (const line of summary(counts)) print(line)
  if (signal.aborted) print('stopped before the end')
  if (counts.differences > 0) return 1
  if (signal.aborted) return STOPPED
  return counts.accounts === 0 && counts.incomparable.size > 0 ? 1 : 0
}
