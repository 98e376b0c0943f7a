import {
  type AddressFlags,
  friendlyAddress,
  type GivenAddress,
  rawAddress,
  rawAddressUpper,
} from '../../../ton/address.ts'
import { ref, STRING } from '../../json-schema.ts'
import type { Neutral } from '../dialect.ts'
import { GET_POST, type Method, method } from '../method.ts'
import { address, hash } from '../param.ts'

const BOUNCEABLE_FORM = { true: 'friendly_bounceable', false: 'friendly_non_bounceable' } as const

const variant = (given: GivenAddress, flags: AddressFlags): Neutral => ({
  '@type': 'ext.utils.detectedAddressVariant',
  b64: friendlyAddress(given, flags, 'base64'),
  b64url: friendlyAddress(given, flags, 'base64url'),
})

const detectAddress = method({
  name: 'detectAddress',
  group: 'utils',
  summary: 'All forms of an address, and the form that was given',
  verbs: GET_POST,
  params: { address: address({}) },
  result: ref('DetectedAddress'),
  call: ({ address: given }) => {
    const testOnly = given.flags?.testOnly ?? false
    return {
      '@type': 'ext.utils.detectedAddress',
      raw_form: rawAddress(given),
      bounceable: variant(given, { bounceable: true, testOnly }),
      non_bounceable: variant(given, { bounceable: false, testOnly }),
      given_type: given.flags ? BOUNCEABLE_FORM[`${given.flags.bounceable}`] : 'raw_form',
      test_only: testOnly,
    }
  },
})

const detectHash = method({
  name: 'detectHash',
  group: 'utils',
  summary: 'All forms of a 256-bit hash',
  verbs: GET_POST,
  params: { hash: hash({}) },
  result: ref('DetectedHash'),
  call: ({ hash: given }) => ({
    '@type': 'ext.utils.detectedHash',
    b64: given.toString('base64'),
    b64url: given.toString('base64url'),
    hex: given.toString('hex'),
  }),
})

const packAddress = method({
  name: 'packAddress',
  group: 'utils',
  summary: 'The URL-safe user-friendly form; a friendly address keeps its flags, a raw one becomes bounceable',
  verbs: GET_POST,
  params: { address: address({}) },
  result: STRING,
  call: ({ address: given }) => friendlyAddress(given, given.flags),
})

const unpackAddress = method({
  name: 'unpackAddress',
  group: 'utils',
  summary: 'The raw form of an address, in upper-case hex',
  verbs: GET_POST,
  params: { address: address({}) },
  result: STRING,
  call: ({ address: given }) => rawAddressUpper(given),
})

/** The group `utils`: methods that compute on their parameters alone (contracts/v2.md 10). */
export const textFormsMethods: readonly Method<unknown>[] = [detectAddress, detectHash, packAddress, unpackAddress]
