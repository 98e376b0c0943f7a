import { describe, expect, test } from 'bun:test'
import { Address, ExternalAddress, type Message, storeMessage, beginCell as tonCoreCell } from '@ton/core'
import fc from 'fast-check'
import { normalizedMessageHash } from '../../../src/ton/message-hash.ts'
import { failureOf } from '../../support/failure.ts'
import { fromTonCore } from '../../support/ton-core.ts'

const DEST = new Address(0, Buffer.alloc(32, 0xab))
const BODY = tonCoreCell().storeUint(7, 32).storeRef(tonCoreCell().storeUint(1, 9).endCell()).endCell()
const CODE = tonCoreCell().storeUint(3, 8).endCell()

/** What TEP-467 makes of every form of the message, written by hand. */
const NORMAL = tonCoreCell()
  .storeUint(0b10, 2)
  .storeUint(0, 2)
  .storeAddress(DEST)
  .storeCoins(0)
  .storeBit(false)
  .storeBit(true)
  .storeRef(BODY)
  .endCell()
  .hash()

const cellOf = (message: Message, forceRef: boolean) =>
  fromTonCore(tonCoreCell().store(storeMessage(message, { forceRef })).endCell())

describe('normalizedMessageHash', () => {
  test('is one for every form of an external-in message', () => {
    const forms = fc.record({
      importFee: fc.bigInt({ min: 0n, max: 2n ** 100n }),
      src: fc.option(fc.bigInt({ min: 0n, max: 255n }).map((value) => new ExternalAddress(value, 8))),
      init: fc.option(fc.constant({ code: CODE })),
      forceRef: fc.boolean(),
    })
    fc.assert(
      fc.property(forms, ({ importFee, src, init, forceRef }) => {
        const message: Message = { info: { type: 'external-in', dest: DEST, src, importFee }, init, body: BODY }
        expect(normalizedMessageHash(cellOf(message, forceRef))).toEqual(NORMAL)
      }),
    )
  })

  test('differs with the destination and with the body', () => {
    const info = { type: 'external-in', dest: new Address(-1, DEST.hash), src: null, importFee: 0n } as const
    expect(normalizedMessageHash(cellOf({ info, body: BODY }, true))).not.toEqual(NORMAL)
    expect(normalizedMessageHash(cellOf({ info: { ...info, dest: DEST }, body: CODE }, true))).not.toEqual(NORMAL)
  })

  test('of any other message is the hash of its cell', () => {
    const info = { type: 'external-out', src: DEST, dest: null, createdLt: 5n, createdAt: 6 } as const
    const cell = cellOf({ info, body: BODY }, true)
    expect(normalizedMessageHash(cell)).toEqual(cell.hash())
  })

  test('of something else is refused', () => {
    expect(failureOf(() => normalizedMessageHash(fromTonCore(CODE)))).toBe('malformed')
  })
})
