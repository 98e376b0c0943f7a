import { join } from 'node:path'
import { isTonlithError } from '../common/errors.ts'
import { listKeys, openKeyStore } from '../store/api-keys.ts'
import { fileBytes, hasDataFile } from '../store/disk.ts'
import { readFailure } from '../store/failure.ts'
import { damagedIndexRemedy, indexFolder, openIndexStore } from '../store/index-store.ts'
import { openPaymentStore } from '../store/payments/environment.ts'
import { masterchainBlockAt } from '../store/queries/stored-block.ts'
import { readRanges } from '../store/ranges.ts'
import { openRawStore } from '../store/raw-store.ts'
import type { Finding } from './doctor-finding.ts'
import { megabytes } from './index-copies.ts'
import { networkIn } from './index-network.ts'

/** Reads a store that may not be there yet; `look` tells what is in it. */
const storeFinding = async (
  subject: string,
  folder: string,
  remedy: string,
  look: () => Promise<Omit<Finding, 'subject' | 'verdict'>>,
): Promise<Finding> => {
  try {
    if (!hasDataFile(folder)) return { subject, verdict: 'ok', text: 'none yet', figures: { exists: false } }
    const { text, figures } = await look()
    const bytes = fileBytes(folder)
    return {
      subject,
      verdict: 'ok',
      text: `${text}, ${megabytes(bytes)}`,
      figures: { exists: true, bytes, ...figures },
    }
  } catch (error) {
    const failure = readFailure(error, folder, remedy)
    if (!isTonlithError(failure)) throw failure
    return { subject, verdict: 'failed', text: failure.message }
  }
}

const indexFinding = (data: string, network: string | undefined): Promise<Finding> => {
  const folder = indexFolder(data)
  return storeFinding('index', folder, damagedIndexRemedy(folder), async () => {
    const store = await openIndexStore(folder, network ?? (await networkIn(folder)), { readOnly: true })
    try {
      const ranges = readRanges(store.tables)
      const newest = ranges.at(-1)?.last
      const utime = newest === undefined ? undefined : masterchainBlockAt(store.tables, newest)?.info.gen_utime
      const transactions = store.tables.transactions.getCount()
      return {
        text: `masterchain blocks ${ranges.map(({ first, last }) => `${first} to ${last}`).join(', ') || 'none'}, ${transactions} transactions`,
        figures: { ranges: ranges.map(({ first, last }) => ({ first, last })), utime: utime ?? null, transactions },
      }
    } finally {
      await store.environment.close()
    }
  })
}

const paymentsFinding = (data: string): Promise<Finding> =>
  storeFinding('payments', join(data, 'payments'), 'restore a backup of the folder', async () => {
    const store = await openPaymentStore(data, true)
    try {
      const count = (name: 'merchants' | 'transfers' | 'events'): number => [...store.tables[name].getKeys()].length
      const [merchants, transfers, events] = [count('merchants'), count('transfers'), count('events')]
      return {
        text: `merchants ${merchants}, transfers ${transfers}, events ${events}`,
        figures: { merchants, transfers, events },
      }
    } finally {
      await store.close()
    }
  })

/** Each user of the operator's store makes the tables that it works with: there may be none of keys yet. */
const hasKeys = async (folder: string, remedy: string): Promise<boolean> => {
  const raw = await openRawStore(folder, remedy)
  await raw.close()
  return raw.tables.has('keys')
}

const keysFinding = (data: string): Promise<Finding> => {
  const folder = join(data, 'operator')
  const remedy = 'restore a backup of the folder'
  return storeFinding('keys', folder, remedy, async () => {
    if (!(await hasKeys(folder, remedy))) return { text: 'API keys 0', figures: { keys: 0 } }
    const store = await openKeyStore(data, true)
    try {
      const keys = listKeys(store).filter(({ revoked }) => revoked === null).length
      return { text: `API keys ${keys}`, figures: { keys } }
    } finally {
      await store.close()
    }
  })
}

/**
 * What is kept in the data folder, opened for reading: a server may go on with it meanwhile.
 * @param network that the index must be of; undefined where that is not known
 */
export const storeFindings = (data: string, network: string | undefined): Promise<Finding[]> =>
  Promise.all([indexFinding(data, network), paymentsFinding(data), keysFinding(data)])
