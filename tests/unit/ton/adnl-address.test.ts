import { expect, test } from 'bun:test'
import { ADNLAddress } from '@ton/core'
import fc from 'fast-check'
import { adnlAddressText } from '../../../src/ton/adnl-address.ts'

test('an ADNL address reads as another implementation writes it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const text = adnlAddressText(Buffer.from(bytes))
      expect(text).toMatch(/^[a-z2-7]{55}$/)
      expect(ADNLAddress.parseFriendly(text).address).toEqual(Buffer.from(bytes))
    }),
  )
})
