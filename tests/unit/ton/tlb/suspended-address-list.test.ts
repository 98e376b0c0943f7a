import { describe, expect, test } from 'bun:test'
import { beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { isSuspendedAddress, parseSuspendedAddressList } from '../../../../src/ton/tlb/suspended-address-list.ts'

const SUSPENDED = { workchain: -1, hash: Buffer.alloc(32, 0x5a) }
const UNTIL = 1_803_189_600

/** A dictionary of one 288-bit key, its label in the long form: `10`, the length in 9 bits, the key. */
const dictionaryOf = ({ workchain, hash }: typeof SUSPENDED): Cell =>
  beginCell().uint(0b10, 2).uint(288, 9).int(workchain, 32).bytes(hash).endCell()

const list = (addresses: Cell | null): Cell => beginCell().uint(0, 8).maybeRef(addresses).uint(UNTIL, 32).endCell()

describe('SuspendedAddressList', () => {
  const parsed = parseSuspendedAddressList(list(dictionaryOf(SUSPENDED)))

  test('names accounts by workchain and id, until its time is over', () => {
    expect(parsed.suspended_until).toBe(UNTIL)
    expect(isSuspendedAddress(parsed, SUSPENDED, UNTIL - 1)).toBe(true)
    expect(isSuspendedAddress(parsed, SUSPENDED, UNTIL)).toBe(false)
    expect(isSuspendedAddress(parsed, { ...SUSPENDED, workchain: 0 }, 0)).toBe(false)
    expect(isSuspendedAddress(parsed, { ...SUSPENDED, hash: Buffer.alloc(32) }, 0)).toBe(false)
  })

  test('may be empty', () => {
    expect(isSuspendedAddress(parseSuspendedAddressList(list(null)), SUSPENDED, 0)).toBe(false)
  })

  test('refuses another tag', () => {
    expect(() => parseSuspendedAddressList(beginCell().uint(1, 8).bit(false).uint(0, 32).endCell())).toThrow(
      'not a SuspendedAddressList',
    )
  })
})
