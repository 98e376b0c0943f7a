import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readBlockSignatures } from '../../../src/chain/block-signatures.ts'
import { signatureSetOfTl } from '../../../src/ton/signatures.ts'
import { type ArchiveReader, startArchiveReader } from '../../support/archive-gateway.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { rejectionOf } from '../../support/rejection.ts'

const signal = new AbortController().signal

describe('signatures of a masterchain block', () => {
  let reader: ArchiveReader
  beforeAll(async () => {
    reader = await startArchiveReader()
  })
  afterAll(() => reader.stop())

  test('are those that were recorded, for blocks of every validator set and for key blocks', async () => {
    for (const seqno of recordedChain().signed) {
      const recorded = recordedChain().signatures(seqno)!
      const { id, set } = await readBlockSignatures(reader.chain, seqno, signal)
      expect(id).toEqual(recordedChain().masterchain(seqno)!.id)
      expect(set).toEqual(signatureSetOfTl(recorded))
    }
  })

  test('are not made up where the liteserver has none', async () => {
    const error = await rejectionOf(readBlockSignatures(reader.chain, 100, signal))
    expect(error).toMatchObject({ kind: 'liteserver', code: 651 })
    expect(error?.message).toStartWith(
      'no signatures of masterchain block 100 (an archival liteserver may have them): ',
    )
  })

  test('of a block that is not there yet are an error of the liteserver', async () => {
    const error = await rejectionOf(readBlockSignatures(reader.chain, recordedChain().last + 1, signal))
    expect(error?.kind).toBe('liteserver')
  })
})
