import { describe, expect, test } from 'bun:test'
import { TonlithError } from '../../../src/common/errors.ts'
import {
  addressAt,
  cellAt,
  intAt,
  readOrNone,
  requiredAddressAt,
  sliceAt,
  stackAddress,
} from '../../../src/contracts/get-methods.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { STACK_NULL, type StackValue, stackInt, stackSlice } from '../../../src/ton/stack.ts'
import { storeMsgAddressInt } from '../../../src/ton/tlb/msg-address.ts'
import { libraryCell } from '../../support/exotic-cells.ts'
import { failureOf } from '../../support/failure.ts'
import { account } from '../../support/fake-contracts.ts'

const stackCell = (cell = beginCell().endCell()): StackValue => ({ _: 'vm_stk_cell', cell })

describe('an entry of a result', () => {
  test('is read as what it is', () => {
    expect(intAt([stackInt(-(2n ** 256n))], 0)).toBe(-(2n ** 256n))
    expect(cellAt([stackInt(1), stackCell()], 1)).toEqual(beginCell().endCell())
    expect(sliceAt([stackSlice(beginCell().uint(5, 3).endCell())], 0).uint(3)).toBe(5)
    expect(sliceAt([stackCell(beginCell().uint(5, 3).endCell())], 0).uint(3)).toBe(5)
  })

  test('is malformed when it is missing or of another type', () => {
    const stack: StackValue[] = [STACK_NULL, { _: 'vm_stk_nan' }, stackCell(libraryCell(Buffer.alloc(32)))]
    for (const read of [
      () => intAt(stack, 0),
      () => intAt(stack, 1),
      () => intAt(stack, 9),
      () => cellAt(stack, 0),
      () => sliceAt(stack, 1),
      () => sliceAt(stack, 2),
      () => addressAt(stack, 1),
      () => requiredAddressAt(stack, 0),
    ])
      expect(failureOf(read)).toBe('malformed')
  })
})

describe('an address', () => {
  const here = account(7, -1)
  const std = { _: 'addr_std', anycast: null, workchain_id: -1, address: here.hash } as const

  test('stands in a slice or in a cell', () => {
    expect(addressAt([stackAddress(here)], 0)).toEqual(here)
    expect(addressAt([stackCell(storeMsgAddressInt(beginCell(), std).endCell())], 0)).toEqual(here)
  })

  test('is none for addr_none and null', () => {
    expect(addressAt([stackSlice(beginCell().uint(0, 2).endCell())], 0)).toBeUndefined()
    expect(addressAt([STACK_NULL], 0)).toBeUndefined()
  })

  test('is malformed in its other forms', () => {
    const anycast = { ...std, anycast: { depth: 1, rewrite_pfx: { bytes: Buffer.from([128]), length: 1 } } }
    const variable = { _: 'addr_var', anycast: null, addr_len: 256, workchain_id: 0 } as const
    for (const address of [anycast, { ...variable, address: { bytes: here.hash, length: 256 } }] as const)
      expect(failureOf(() => addressAt([stackSlice(storeMsgAddressInt(beginCell(), address).endCell())], 0))).toBe(
        'malformed',
      )
    expect(failureOf(() => addressAt([stackSlice(beginCell().uint(1, 2).uint(0, 9).endCell())], 0))).toBe('malformed')
  })
})

test('only what the contract got wrong makes no answer of it', () => {
  const throwing = (kind: 'malformed' | 'limit' | 'internal') => () => {
    throw new TonlithError(kind, '')
  }
  expect(readOrNone(() => 5)).toBe(5)
  expect(readOrNone(throwing('malformed'))).toBeUndefined()
  expect(readOrNone(throwing('limit'))).toBeUndefined()
  expect(failureOf(() => readOrNone(throwing('internal')))).toBe('internal')
})
