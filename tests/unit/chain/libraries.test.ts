import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { findLibraries, readLibraries } from '../../../src/chain/libraries.ts'
import { type ArchiveReader, startArchiveReader } from '../../support/archive-gateway.ts'
import { recordedChain } from '../../support/recorded-chain.ts'

const signal = new AbortController().signal

/** Of a stablecoin's wallets and two others, as scenario names them; the last was taken off the chain. */
const HASHES = [
  '8f452d7a4dfd74066b682365177259ed05734435be76b5fd4bd5d8af2b7c3d68',
  'e9c485491976c11e3095082bf221b82f254ad0bf4e42208fa90fcde1169b9fda',
  '6305a8061c856c2ccf05dcb0df5815c71475870567cab5f049e340bcf59251f3',
].map((hex) => Buffer.from(hex, 'hex'))
const REMOVED = Buffer.from('f68b9d8918b4e1953ac6c6d583d99c33691f26a959f49a565f1c3a745a6d4061', 'hex')

describe('libraries', () => {
  let reader: ArchiveReader
  beforeAll(async () => {
    reader = await startArchiveReader()
  })
  afterAll(() => reader.stop())

  const hex = (libraries: { hash(): Buffer }[]): string[] => libraries.map((each) => each.hash().toString('hex'))

  test('come ascending by hash, without those that do not exist', async () => {
    const found = hex(await readLibraries(reader.chain, [...HASHES, REMOVED, Buffer.alloc(32)], signal))
    expect(found).toEqual(HASHES.map((hash) => hash.toString('hex')).sort())
  })

  test('none is asked for without a hash', async () => {
    const before = reader.asked()
    expect(await readLibraries(reader.chain, [], signal)).toEqual([])
    expect(reader.asked()).toEqual(before)
  })

  test('that were seen are not asked for again by contracts, and always by callers', async () => {
    const { id } = recordedChain().masterchain(recordedChain().last)!
    await readLibraries(reader.chain, HASHES, signal)
    const before = reader.asked()['getLibrariesWithProof']!
    expect(hex(await findLibraries(reader.chain, id, HASHES))).toEqual(HASHES.map((hash) => hash.toString('hex')))
    expect(reader.asked()['getLibrariesWithProof']).toBe(before)
    await readLibraries(reader.chain, HASHES, signal)
    expect(reader.asked()['getLibrariesWithProof']).toBe(before + 1)
  })

  test('more than a liteserver takes are asked for in parts', async () => {
    const { id } = recordedChain().masterchain(recordedChain().last)!
    const many = Array.from({ length: 40 }, (_, i) => Buffer.alloc(32, i))
    const before = reader.asked()['getLibrariesWithProof']!
    expect(await findLibraries(reader.chain, id, many)).toEqual([])
    expect(reader.asked()['getLibrariesWithProof']).toBe(before + 3)
  })

  test('one that was taken off the chain is found where it was, and not asked for again for a while', async () => {
    const found: boolean[] = []
    for (let seqno = 1; seqno <= recordedChain().last; seqno++)
      found.push((await findLibraries(reader.chain, recordedChain().masterchain(seqno)!.id, [REMOVED])).length > 0)
    expect(found[0]).toBe(false)
    expect(found.lastIndexOf(false)).toBe(found.indexOf(true) - 1)
    expect(await readLibraries(reader.chain, [REMOVED], signal)).toEqual([])
  })
})
