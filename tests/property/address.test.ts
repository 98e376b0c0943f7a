import { expect, test } from 'bun:test'
import { Address as CoreAddress } from '@ton/core'
import fc from 'fast-check'
import { friendlyAddress, rawAddress, sameAddress, tryParseAddress } from '../../src/ton/address.ts'

const address = fc.record({
  workchain: fc.integer({ min: -128, max: 127 }),
  hash: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes)),
})
const flags = fc.record({ bounceable: fc.boolean(), testOnly: fc.boolean() })
const alphabet = fc.constantFrom('base64' as const, 'base64url' as const)

test('every form of every address is read back, and written as @ton/core writes it', () => {
  fc.assert(
    fc.property(address, flags, alphabet, (given, form, letters) => {
      const text = friendlyAddress(given, form, letters)
      const read = tryParseAddress(text)!
      expect(sameAddress(read, given)).toBe(true)
      expect(read.flags).toEqual(form)
      expect(sameAddress(tryParseAddress(rawAddress(given))!, given)).toBe(true)
      const core = new CoreAddress(given.workchain, given.hash)
      expect(text).toBe(core.toString({ ...form, urlSafe: letters === 'base64url' }))
    }),
  )
})

test('one changed character makes it no address, or one of the same account', () => {
  const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_'
  fc.assert(
    fc.property(address, flags, fc.nat(47), fc.nat(characters.length - 1), (given, form, at, letter) => {
      const text = friendlyAddress(given, form)
      const changed = text.slice(0, at) + characters[letter] + text.slice(at + 1)
      const same = Buffer.from(changed, 'base64').equals(Buffer.from(text, 'base64'))
      expect(tryParseAddress(changed) !== undefined).toBe(same)
    }),
  )
})

test('no text makes the parser throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
      const read = tryParseAddress(text)
      expect(read === undefined || read.hash.length === 32).toBe(true)
    }),
  )
})
