import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TonlithError } from '../common/errors.ts'

/**
 * Opens a throw-away LMDB environment, writes a row, reads it back and removes everything: proof that the native addon
 * of this build loads and works on this machine.
 * @throws TonlithError `unsupported` when the addon cannot be loaded (it is unpacked to the directory for temporary
 * files, which must be writable and must allow execution) or does not give back what was written
 */
export const probeLmdb = async (): Promise<void> => {
  const lmdb = await import('lmdb').catch((cause: unknown) => {
    throw new TonlithError('unsupported', `LMDB cannot be loaded from ${tmpdir()}: ${firstLine(cause)}`, { cause })
  })
  const path = await mkdtemp(join(tmpdir(), 'tonlith-probe-')).catch((cause: unknown) => {
    throw new TonlithError('unsupported', `no temporary directory for LMDB: ${firstLine(cause)}`, { cause })
  })
  const database = lmdb.open<string, string>({ path, encoding: 'string' })
  try {
    database.putSync('probe', 'written')
    if (database.get('probe') !== 'written') throw new TonlithError('unsupported', 'LMDB does not read what it wrote')
  } finally {
    await database.close()
    await rm(path, { recursive: true, force: true })
  }
}

const firstLine = (error: unknown): string => String(error instanceof Error ? error.message : error).split('\n', 1)[0]!
