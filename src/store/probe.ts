import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TonlithError } from '../common/errors.ts'
import { loadLmdb } from './addon.ts'
import { openEnvironment } from './environment.ts'
import { firstLine } from './failure.ts'

const NONE = { otherNetwork: '', older: '', newer: '', damaged: '' }

/**
 * Opens a throw-away LMDB environment, writes a row, reads it back and removes everything: proof that the native addon
 * of this build loads and works on this machine.
 * @throws TonlithError when the addon cannot be loaded or does not give back what was written
 */
export const probeLmdb = async (): Promise<void> => {
  await loadLmdb()
  const path = await mkdtemp(join(tmpdir(), 'tonlith-probe-')).catch((cause: unknown) => {
    throw new TonlithError('unsupported', `no temporary directory for LMDB: ${firstLine(cause)}`, { cause })
  })
  try {
    const stamp = { store: 'probe', version: 1 }
    const environment = await openEnvironment({ path, stamp, remedies: NONE, tables: ['rows'] })
    const { rows } = environment.tables
    const key = Buffer.from('key')
    try {
      environment.transaction(() => rows.putSync(key, Buffer.from('written')))
      if (rows.get(key)?.toString() !== 'written')
        throw new TonlithError('unsupported', 'LMDB does not read what it wrote')
    } finally {
      await environment.close()
    }
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}
