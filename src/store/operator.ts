import { join } from 'node:path'
import { type Environment, openEnvironment } from './environment.ts'

/** The tables of the operator's store: API keys; chosen accounts, and how often the list of them has changed. */
export type OperatorTable = 'keys' | 'chosen_accounts' | 'revisions'

/**
 * What the operator of a server has decided, which cannot be had from the chain again: API keys, and the accounts that an
 * index is about. It is a folder of its own, so that dropping or replacing an index touches none of it. Each user opens
 * the tables that it works with.
 */
export type OperatorStore<T extends OperatorTable> = Environment<T>

const VERSION = 1

/** Opens tables of the operator's store in the data folder. Throws as openEnvironment does. */
export const openOperatorStore = <T extends OperatorTable>(
  data: string,
  tables: readonly T[],
  readOnly = false,
): Promise<OperatorStore<T>> =>
  openEnvironment({
    path: join(data, 'operator'),
    stamp: { store: 'operator', version: VERSION },
    remedies: {
      otherNetwork: 'name another data folder: --data DIR',
      older: 'open it once with the version of tonlith that wrote it, and note its keys: tonlith keys list',
      damaged: 'restore a backup of the folder, or remove it: all its keys are lost then',
      newer: 'use the version of tonlith that wrote it, or a newer one',
    },
    tables,
    readOnly,
  })
