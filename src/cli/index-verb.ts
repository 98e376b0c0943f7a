import { resolve } from 'node:path'
import { TonlithError } from '../common/errors.ts'
import type { IndexAction } from '../config/index-command.ts'
import type { Settings } from '../config.ts'
import { createAhead } from '../indexer/ahead.ts'
import { type Bundle, createFetch } from '../indexer/fetch.ts'
import { gapsOf } from '../indexer/follow.ts'
import { parseBatch } from '../indexer/parse.ts'
import { scopeAt, selectBatch } from '../indexer/scope.ts'
import { verifyBatch } from '../indexer/verify.ts'
import type { SeqnoRange } from '../model/index-records.ts'
import { actionFaults } from '../store/action-check.ts'
import { fileBytes, freeBytes } from '../store/disk.ts'
import { entityFaults, transferFaults } from '../store/entity-check.ts'
import { readFailure } from '../store/failure.ts'
import { readHistories } from '../store/histories.ts'
import { readScope } from '../store/index-scope.ts'
import { damagedIndexRemedy, indexFolder, openIndexStore } from '../store/index-store.ts'
import { openIndexReader } from '../store/queries/open-index-reader.ts'
import { readRanges } from '../store/ranges.ts'
import { bundleWithin } from './bundle-patience.ts'
import { accountsVerb } from './index-accounts-verb.ts'
import { type AuditTools, audit } from './index-audit.ts'
import { backup, compact, exportTo, importFrom, megabytes, type Print } from './index-copies.ts'
import { networkIn } from './index-network.ts'
import { assertIndexIn } from './index-place.ts'
import { verifySource } from './index-source.ts'

/** Milliseconds to wait for one block. */
const PATIENCE_MS = 30_000
const AHEAD = { maxBytes: 32 << 20, maxThings: 16 }

const rangeText = ({ first, last }: SeqnoRange): string => (first === last ? `${first}` : `${first} to ${last}`)

const info = async (folder: string, print: Print): Promise<void> => {
  const store = await openIndexStore(folder, await networkIn(folder), { readOnly: true })
  const { environment, tables } = store
  try {
    const ranges = readRanges(tables)
    const gaps = gapsOf(ranges, undefined)
    const accounts = readScope(store)
    print(`about               ${accounts ? `chosen accounts: ${accounts.length}` : 'all accounts'}`)
    print(`masterchain blocks  ${ranges.length === 0 ? 'none' : ranges.map(rangeText).join(', ')}`)
    if (gaps.length > 0) print(`missing between     ${gaps.map(rangeText).join(', ')}`)
    for (const name of ['blocks', 'transactions', 'msg_by_lt', 'traces', 'accounts', 'codes'] as const)
      print(`${name.replace('msg_by_lt', 'messages').padEnd(20)}${tables[name].getCount()}`)
    print(`data                ${megabytes(environment.usedBytes())}`)
    print(`file                ${megabytes(fileBytes(folder))}`)
    print(`free on the disk    ${megabytes(freeBytes(folder))}`)
  } finally {
    await environment.close()
  }
}

const within = (ranges: readonly SeqnoRange[], from = 1, to = Number.POSITIVE_INFINITY): number[] =>
  ranges.flatMap(({ first, last }) => {
    const [low, high] = [Math.max(first, from), Math.min(last, to)]
    return Array.from({ length: Math.max(0, high - low + 1) }, (_, i) => low + i)
  })

const verify = async (
  folder: string,
  { from, to, archive }: Extract<IndexAction, { action: 'verify' }>,
  settings: Settings,
  print: Print,
): Promise<number> => {
  const { network, source, stop } = await verifySource(folder, archive, settings)
  const ending = new AbortController()
  try {
    const store = await openIndexStore(folder, network, { readOnly: true })
    try {
      const reader = openIndexReader(store)
      const scopeOfBlock = readScope(store) ? scopeAt([...readHistories(store)]) : () => undefined
      const ranges = readRanges(store.tables)
      const seqnos = within(ranges, from, to)
      if (seqnos.length === 0) throw new TonlithError('notFound', 'no masterchain block of that stretch is indexed')
      for (const gap of gapsOf(ranges, from))
        if (gap.first <= (to ?? gap.first)) print(`not indexed: ${rangeText(gap)}`)
      const fetch = createFetch({ source, remembered: AHEAD.maxThings + 2, signal: ending.signal })
      const wanted = new Set(seqnos)
      const ahead = createAhead<Bundle>({
        fetch,
        bytesOf: ({ bytes }) => bytes,
        step: 1,
        exists: (seqno) => wanted.has(seqno),
        ...AHEAD,
      })
      let differences = 0
      let transactions = 0
      for (const seqno of seqnos) {
        const { masterchain, shards } = await bundleWithin(PATIENCE_MS, seqno, ahead.take(seqno), source)
        const whole = parseBatch(masterchain, shards)
        const batch = selectBatch(whole, scopeOfBlock(seqno))
        transactions += batch.transactions.length
        for (const what of reader.snapshot(() => [...verifyBatch(reader, batch, whole)])) {
          differences++
          print(`masterchain block ${seqno}: ${what}`)
        }
      }
      reader.snapshot(() => {
        for (const what of [...entityFaults(store), ...transferFaults(store), ...actionFaults(store)]) {
          differences++
          print(what)
        }
      })
      print(`${seqnos.length} masterchain blocks, ${transactions} transactions, ${differences} differences`)
      return differences === 0 ? 0 : 1
    } finally {
      await store.environment.close()
    }
  } finally {
    ending.abort()
    await stop()
  }
}

/**
 * Does what `tonlith index` is asked for with the index in the data folder. Gives the exit code.
 * @throws TonlithError for whatever does not work
 */
export const indexVerb = async (action: IndexAction, settings: Settings, tools: AuditTools): Promise<number> => {
  const folder = indexFolder(settings.data)
  if (action.action !== 'import' && action.action !== 'accounts') assertIndexIn(settings.data)
  try {
    return await act(folder, action, settings, tools)
  } catch (error) {
    throw action.action === 'import' ? error : readFailure(error, folder, damagedIndexRemedy(folder))
  }
}

const act = async (folder: string, action: IndexAction, settings: Settings, tools: AuditTools): Promise<number> => {
  const { print } = tools
  switch (action.action) {
    case 'info':
      await info(folder, print)
      return 0
    case 'verify':
      return verify(folder, action, settings, print)
    case 'audit':
      return audit(folder, action, settings, tools)
    case 'export':
      await exportTo(folder, resolve(action.path), print)
      return 0
    case 'import':
      await importFrom(folder, resolve(action.path), print)
      return 0
    case 'backup':
      await backup(folder, resolve(action.path), print)
      return 0
    case 'compact':
      await compact(folder, print)
      return 0
    case 'accounts':
      await accountsVerb(action.of, settings.data, print)
      return 0
  }
}
