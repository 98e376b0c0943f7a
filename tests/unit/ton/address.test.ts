import { describe, expect, test } from 'bun:test'
import { Address as CoreAddress } from '@ton/core'
import {
  accountPrefix,
  friendlyAddress,
  rawAddress,
  rawAddressUpper,
  sameAddress,
  tryParseAddress,
} from '../../../src/ton/address.ts'
import { crc16 } from '../../../src/ton/crc.ts'
import { failureOf } from '../../support/failure.ts'

// contracts/v2.md 23
const HEX = '83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8'
const FORMS = {
  EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N: { bounceable: true, testOnly: false },
  UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI: { bounceable: false, testOnly: false },
  kQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqKYH: { bounceable: true, testOnly: true },
  '0QCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqPvC': { bounceable: false, testOnly: true },
}

describe('an address is read', () => {
  for (const [text, flags] of Object.entries(FORMS)) {
    test(`from ${text}, with its flags`, () => {
      const address = tryParseAddress(text)!
      expect(rawAddress(address)).toBe(`0:${HEX}`)
      expect(address.flags).toEqual(flags)
      expect(friendlyAddress(address, flags)).toBe(text)
    })
  }

  test('from the raw form in either case, without flags', () => {
    for (const text of [`0:${HEX}`, `0:${HEX.toUpperCase()}`]) {
      const address = tryParseAddress(text)!
      expect(rawAddress(address)).toBe(`0:${HEX}`)
      expect(rawAddressUpper(address)).toBe(`0:${HEX.toUpperCase()}`)
      expect(address.flags).toBeUndefined()
    }
  })

  test('from either base64 alphabet and from both mixed', () => {
    const standard = 'EQC9KiqWxNJaOH+MFnUDcTxTAplf9/NahjbSGjsAlglu85Im'
    const urlSafe = 'EQC9KiqWxNJaOH-MFnUDcTxTAplf9_NahjbSGjsAlglu85Im'
    const mixed = 'EQC9KiqWxNJaOH+MFnUDcTxTAplf9_NahjbSGjsAlglu85Im'
    for (const text of [standard, urlSafe, mixed]) {
      expect(friendlyAddress(tryParseAddress(text)!)).toBe(urlSafe)
      expect(friendlyAddress(tryParseAddress(text)!, undefined, 'base64')).toBe(standard)
    }
  })

  test('in every workchain that the raw form can hold', () => {
    for (const workchain of [0, -1, 1, 127, -128, 1_000_000, -999_999_999, 2_147_483_647])
      expect(tryParseAddress(`${workchain}:${HEX}`)!.workchain).toBe(workchain)
    expect(Object.is(tryParseAddress(`-0:${HEX}`)!.workchain, 0)).toBe(true)
  })

  test('as @ton/core reads it', () => {
    for (const text of [...Object.keys(FORMS), 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF'])
      expect(rawAddress(tryParseAddress(text)!)).toBe(CoreAddress.parse(text).toRawString())
  })
})

describe('no address is', () => {
  const refused: Record<string, string> = {
    'the empty text': '',
    'hex without a workchain': HEX,
    'a workchain beyond int32': `2147483648:${HEX}`,
    'the lowest int32, which stands for no workchain': `-2147483648:${HEX}`,
    'a workchain text of more than ten characters': `-1000000000:${HEX}`,
    'a plus sign before the workchain': `+1:${HEX}`,
    'a blank before it': ` 0:${HEX}`,
    'a newline after it': `0:${HEX}\n`,
    '63 digits': `0:${HEX.slice(1)}`,
    '65 digits': `0:${HEX}a`,
    'a digit that is no hex': `0:${HEX.slice(1)}g`,
    'two colons': `0:0:${HEX}`,
    'a wrong checksum': 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2M',
    '47 characters': 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2',
    '49 characters': 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2NA',
    'a padded form': 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB==',
    'a domain': 'wallet.ton',
    'non-ASCII': 'é'.repeat(48),
  }
  for (const [what, text] of Object.entries(refused)) {
    test(what, () => {
      expect(tryParseAddress(text)).toBeUndefined()
    })
  }

  test('an unknown tag, however right its checksum', () => {
    const good = tryParseAddress(`0:${HEX}`)!
    for (const tag of [0x00, 0x10, 0x12, 0x31, 0x71, 0xb1, 0xff]) {
      const bytes = Buffer.from(friendlyAddress(good), 'base64url')
      bytes[0] = tag
      bytes.writeUInt16BE(crc16(bytes.subarray(0, 34)), 34)
      expect(tryParseAddress(bytes.toString('base64url'))).toBeUndefined()
    }
  })
})

test('a workchain beyond one byte has no friendly form', () => {
  const hash = Buffer.alloc(32)
  expect(failureOf(() => friendlyAddress({ workchain: 128, hash }))).toBe('invalid')
  expect(failureOf(() => friendlyAddress({ workchain: -129, hash }))).toBe('invalid')
})

test('addresses are the same by workchain and account id, whatever their flags', () => {
  const [a, b] = Object.keys(FORMS).map(tryParseAddress)
  expect(sameAddress(a!, b!)).toBe(true)
  expect(sameAddress(a!, { ...b!, workchain: -1 })).toBe(false)
  expect(sameAddress(a!, { ...b!, hash: Buffer.alloc(32) })).toBe(false)
})

test('the account prefix is the first 64 bits', () => {
  expect(accountPrefix(tryParseAddress(`0:${HEX}`)!)).toBe(0x83dfd552e63729b4n)
})
