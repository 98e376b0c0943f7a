import { isTonlithError, TonlithError } from '../common/errors.ts'
import type { Address } from '../ton/address.ts'
import { beginCell } from '../ton/builder.ts'
import type { Cell } from '../ton/cell.ts'
import { beginParse } from '../ton/slice.ts'
import { openCellSlice, type StackValue, stackSlice } from '../ton/stack.ts'
import { loadMsgAddress, storeMsgAddressInt } from '../ton/tlb/msg-address.ts'

/**
 * What is wrong with a contract that seems to be of a kind: an answer of another `form` than the kind has, a `parent` that
 * does not know it, `content` that cannot be read.
 */
export type ContractFault = 'form' | 'parent' | 'content'

/** The contracts of a network, all at one masterchain block. */
export interface GetMethods {
  /**
   * Runs a get-method: the values that it left behind, the deepest first, or undefined unless its exit code is 0. Throws
   * what reading the chain throws.
   */
  run(address: Address, method: string, args?: readonly StackValue[]): Promise<readonly StackValue[] | undefined>
  /** The DNS root of the configuration; undefined where there is none. */
  dnsRoot(): Promise<Address | undefined>
  /** Told about each fault, where somebody counts them. */
  fault?(fault: ContractFault): void
}

const unexpected = (what: string): TonlithError =>
  new TonlithError('malformed', `get-method: no ${what} where it should be`)

/** The integer at a place of a result. Throws `malformed`. */
export const intAt = (stack: readonly StackValue[], index: number): bigint => {
  const value = stack[index]
  if (value?._ !== 'vm_stk_int') throw unexpected('integer')
  return value.value
}

/** The cell at a place of a result. Throws `malformed`. */
export const cellAt = (stack: readonly StackValue[], index: number): Cell => {
  const value = stack[index]
  if (value?._ !== 'vm_stk_cell') throw unexpected('cell')
  return value.cell
}

/** What a slice or cell at a place of a result holds. Throws `malformed`. */
export const sliceAt = (stack: readonly StackValue[], index: number) => {
  const value = stack[index]
  if (value?._ === 'vm_stk_slice') return openCellSlice(value)
  if (value?._ === 'vm_stk_cell') return beginParse(value.cell)
  throw unexpected('slice')
}

/**
 * The account that a slice or cell at a place of a result names; undefined for addr_none and null. Throws `malformed`,
 * also for the other forms of an address, as the reference does (contracts/v2.md 15.1).
 */
export const addressAt = (stack: readonly StackValue[], index: number): Address | undefined => {
  if (stack[index]?._ === 'vm_stk_null') return undefined
  const address = loadMsgAddress(sliceAt(stack, index))
  if (address._ === 'addr_none') return undefined
  if (address._ !== 'addr_std' || address.anycast) throw unexpected('standard address')
  return { workchain: address.workchain_id, hash: address.address }
}

/** As addressAt, where there must be an account. Throws `malformed`. */
export const requiredAddressAt = (stack: readonly StackValue[], index: number): Address => {
  const address = addressAt(stack, index)
  if (!address) throw unexpected('address')
  return address
}

const MAX_UINT256 = 2n ** 256n - 1n

/** The integer of 0 to 2^256 - 1 at a place of a result. Throws `malformed`. */
export const uintAt = (stack: readonly StackValue[], index: number): bigint => {
  const value = intAt(stack, index)
  if (value < 0n || value > MAX_UINT256) throw unexpected('unsigned integer')
  return value
}

/** The integer of 0 to 2^48 - 1 at a place of a result: a time or a count. Throws `malformed`. */
export const numberAt = (stack: readonly StackValue[], index: number): number => {
  const value = intAt(stack, index)
  if (value < 0n || value >= 2n ** 48n) throw unexpected('time or count')
  return Number(value)
}

/** Whether the integer at a place of a result is any but zero. Throws `malformed`. */
export const flagAt = (stack: readonly StackValue[], index: number): boolean => intAt(stack, index) !== 0n

/** An address as an argument: a slice with TL-B addr_std. */
export const stackAddress = ({ workchain, hash }: Address): StackValue => {
  const address = { _: 'addr_std', anycast: null, workchain_id: workchain, address: hash } as const
  return stackSlice(storeMsgAddressInt(beginCell(), address).endCell())
}

/** What a reader makes of a contract's answer; undefined when the answer is not of the form that it should be. */
export const readOrNone = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (isTonlithError(error, 'malformed') || isTonlithError(error, 'limit')) return undefined
    throw error
  }
}

/** As readOrNone, of what a get-method left behind; another form is told to `methods`. */
export const readAnswer = <T>(
  methods: Pick<GetMethods, 'fault'>,
  stack: readonly StackValue[] | undefined,
  read: (stack: readonly StackValue[]) => T,
): T | undefined => {
  if (!stack) return undefined
  const value = readOrNone(() => read(stack))
  if (value === undefined) methods.fault?.('form')
  return value
}
