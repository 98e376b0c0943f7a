import { join } from 'node:path'
import { type Environment, openEnvironment } from './environment.ts'

/**
 * What the operator of a server has decided, which cannot be had from the chain again: API keys. It is a folder of its
 * own, so that dropping or replacing an index touches none of it.
 */
export type OperatorStore = Environment<'keys'>

const VERSION = 1

/** Opens the operator's store in the data folder. Throws as openEnvironment does. */
export const openOperatorStore = (data: string, readOnly = false): Promise<OperatorStore> =>
  openEnvironment({
    path: join(data, 'operator'),
    stamp: { store: 'operator', version: VERSION },
    remedies: {
      otherNetwork: 'name another data folder: --data DIR',
      older: 'open it once with the version of tonlith that wrote it, and note its keys: tonlith keys list',
      newer: 'use the version of tonlith that wrote it, or a newer one',
    },
    tables: ['keys'],
    readOnly,
  })
