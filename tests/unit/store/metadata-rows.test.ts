import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type DocumentRow,
  dueDocuments,
  readDocument,
  removeDocuments,
  writeDocuments,
} from '../../../src/store/metadata-rows.ts'
import { type MetadataStore, openMetadataStore } from '../../../src/store/metadata-store.ts'

let folder: string
let store: MetadataStore

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tonlith-metadata-'))
  store = await openMetadataStore(folder)
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const row = (uri: string, failures: number, next: number): DocumentRow => ({
  uri,
  document: failures > 0 ? null : { _: 'ready', members: [['name', '"é\\u0000"']] },
  failures,
  next,
})

describe('documents', () => {
  test('are found by their URI, however long it is', async () => {
    const uris = ['https://a/b', `data:,${'x'.repeat(100_000)}`, '']
    for (const uri of uris) writeDocuments(store, [row(uri, 0, 5)])
    expect(readDocument(store, 'https://a/c')).toBeUndefined()
    await store.close()
    store = await openMetadataStore(folder)
    for (const uri of uris) expect(readDocument(store, uri)).toEqual(row(uri, 0, 5))
  })

  test('that failed are due in the order of their time, and once only', () => {
    writeDocuments(store, [row('late', 1, 30)])
    writeDocuments(store, [row('early', 2, 10)])
    writeDocuments(store, [row('settled', 0, 5)])
    writeDocuments(store, [row('middle', 1, 5)])
    writeDocuments(store, [row('middle', 2, 20)])
    expect(dueDocuments(store, 9, 10, 1000)).toEqual([])
    expect(dueDocuments(store, 9, 10, 15)).toEqual(['late'])
    expect(dueDocuments(store, 20, 10, 1000)).toEqual(['early', 'middle'])
    expect(dueDocuments(store, 30, 2, 1000)).toEqual(['early', 'middle'])
    writeDocuments(store, [row('early', 0, 40)])
    expect(dueDocuments(store, 0xffffffff - 1, 10, 1000)).toEqual(['middle', 'late'])
  })

  test('are removed when they are settled and old', () => {
    for (const [i, uri] of ['a', 'b', 'c'].entries()) writeDocuments(store, [row(uri, 0, 10 * (i + 1))])
    writeDocuments(store, [row('retried', 1, 1)])
    expect(removeDocuments(store, 10, 10)).toBe(0)
    expect(removeDocuments(store, 100, 2)).toBe(2)
    expect(['a', 'b', 'c', 'retried'].filter((uri) => readDocument(store, uri))).toEqual(['c', 'retried'])
    expect(removeDocuments(store, 100, 2)).toBe(1)
    expect(removeDocuments(store, 100, 2)).toBe(0)
  })
})
