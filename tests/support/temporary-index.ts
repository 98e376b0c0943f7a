import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type IndexStore, openIndexStore } from '../../src/store/index-store.ts'

/** An empty index in a folder of its own. */
export interface TemporaryIndex {
  index: IndexStore
  folder: string
  remove(): Promise<void>
}

export const temporaryIndex = async (): Promise<TemporaryIndex> => {
  const folder = mkdtempSync(join(tmpdir(), 'tonlith-index-'))
  const index = await openIndexStore(folder, 'test')
  return {
    index,
    folder,
    remove: async () => {
      await index.environment.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
