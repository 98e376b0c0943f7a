import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { friendlyAddress, rawAddress, rawAddressUpper, tryParseAddress } from '../../src/ton/address.ts'
import { type ArchiveGateway, startArchiveGateway } from '../support/archive-gateway.ts'

/**
 * Every form of an address gives the same answer of getTokenData, to the byte (user-reports.md A1): the form that was asked
 * with is not repeated.
 */

const TOKENS = {
  'a jetton master': '0:80dcafcc3f593d9f28d2b3e9eccd070bce15474e3c6dc879614b839eec438fa0',
  'a jetton wallet': '0:4da9d2be51a7cfecea57b405ee7e941d130e2e22cd5c85a7a1f848302c04d64f',
  'an NFT collection': '0:6866865e250041110ad33329c810f9e9f845c81280383f2f83925291454c8e27',
  'an NFT item': '0:98b96ff97c2903d5532fe3447f8d2cae0a98c05c8316f771d397f6978e725fee',
  'a domain': '0:cccfaa86dd42dbf3cd6165f36385f35c89fe7b22d59e5f3f0ef01663a551f702',
  'no token': '0:c4f8b4a75bbda2c6e7d1436c92984d6d40cec483524f1c1330d91a23f4d74206',
}

let gateway: ArchiveGateway
beforeAll(async () => {
  gateway = await startArchiveGateway()
})
afterAll(() => gateway.stop())

const formsOf = (raw: string): string[] => {
  const address = tryParseAddress(raw)!
  const friendly = [true, false].flatMap((bounceable) =>
    [true, false].flatMap((testOnly) =>
      (['base64', 'base64url'] as const).map((alphabet) =>
        friendlyAddress(address, { bounceable, testOnly }, alphabet),
      ),
    ),
  )
  return [rawAddress(address), rawAddressUpper(address), ...friendly]
}

const askWith = async (base: string, address: string): Promise<string> => {
  const body = JSON.stringify({ address, '@extra': 'x' })
  const response = await gateway.fetch(new Request(`http://localhost${base}getTokenData`, { method: 'POST', body }))
  return `${response.status} ${await response.text()}`
}

describe('each form of the address', () => {
  for (const [what, raw] of Object.entries(TOKENS))
    for (const base of ['/api/v2/', '/ton/api/v2/'])
      test(`of ${what} gives the same answer under ${base}`, async () => {
        const answers = new Set<string>()
        for (const form of formsOf(raw)) answers.add((await askWith(base, form)).replace(/"@extra":"[^"]*"/, ''))
        expect([...answers]).toHaveLength(1)
        expect([...answers][0]).toStartWith(what === 'no token' ? '409' : '200')
      })
})
