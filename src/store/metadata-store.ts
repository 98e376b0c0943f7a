import { join } from 'node:path'
import { type Environment, openEnvironment } from './environment.ts'

/**
 * What the URIs of tokens led to. It is a folder of its own, so that nothing of the index depends on what a network said,
 * and an index that is dropped leaves it. The documents are of no chain: which tokens name a URI is not kept.
 */
export type MetadataStore = Environment<'documents' | 'retries' | 'expiry'>

const VERSION = 1

/** The folder of metadata in the data directory. */
export const metadataFolder = (data: string): string => join(data, 'metadata')

/**
 * Opens the metadata in `folder`. Throws as openEnvironment does; what is refused as `invalid` or `malformed` may be
 * removed.
 * @param options `believed`: its pages were looked at just before
 */
export const openMetadataStore = (
  folder: string,
  options: { readOnly?: boolean; believed?: boolean } = {},
): Promise<MetadataStore> => {
  const remove = `remove the folder ${folder}: it holds nothing that cannot be fetched again`
  return openEnvironment({
    path: folder,
    stamp: { store: 'metadata', version: VERSION },
    remedies: { otherNetwork: remove, older: remove, newer: remove, damaged: remove },
    tables: ['documents', 'retries', 'expiry'],
    readOnly: options.readOnly ?? false,
    ...(options.believed ? { checked: [] } : {}),
  })
}
