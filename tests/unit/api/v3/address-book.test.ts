import { expect, test } from 'bun:test'
import { createAddressBook } from '../../../../src/api/v3/address-book.ts'
import { createTextWriter } from '../../../../src/api/v3/text-writer.ts'
import { systemClock } from '../../../../src/common/clock.ts'
import { type Address, friendlyAddress, rawAddressUpper, sameAddress } from '../../../../src/ton/address.ts'

const OWNER: Address = { workchain: 0, hash: Buffer.alloc(32, 1) }
const STRANGER: Address = { workchain: -1, hash: Buffer.alloc(32, 2) }

const book = (wanted = true, withIndex = true) => {
  const index = {
    accountStates: () => [],
    codeOf: () => undefined,
    domainOf: (address: Address) => (sameAddress(address, OWNER) ? 'owner.ton' : undefined),
  }
  const { writer } = createTextWriter(systemClock, new AbortController().signal, { characters: 0 })
  const codes = () => ({ methods: null, interfaces: [] })
  return createAddressBook({ index: withIndex ? index : undefined, codes, writer, testOnly: false, wanted })
}

const row = (address: Address, domain: string | null) => ({
  user_friendly: friendlyAddress(address, { bounceable: false, testOnly: false }),
  domain,
  interfaces: [],
})

test('the book tells domains, and keeps the words for addresses that name no account', async () => {
  const addresses = [rawAddressUpper(OWNER), 'addr_none', rawAddressUpper(STRANGER), 'anything', rawAddressUpper(OWNER)]
  const text = await book().of(addresses)
  expect(JSON.parse(text)).toEqual({
    [rawAddressUpper(STRANGER)]: row(STRANGER, null),
    [rawAddressUpper(OWNER)]: row(OWNER, 'owner.ton'),
    addr_none: { user_friendly: 'addr_none', domain: null, interfaces: [] },
  })
  expect(await book(false).of(addresses)).toBe('{}')
})

test('under the texts that were sent it is made whether wanted or not, and without an index', async () => {
  const friendly = friendlyAddress(OWNER)
  expect(JSON.parse(await book(false).under([friendly, 'bad']))).toEqual({
    [friendly]: row(OWNER, 'owner.ton'),
    bad: { user_friendly: null, domain: null, interfaces: [] },
  })
  expect(JSON.parse(await book(true, false).under([friendly]))).toEqual({ [friendly]: row(OWNER, null) })
})
