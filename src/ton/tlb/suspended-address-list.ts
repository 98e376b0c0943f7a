import type { Address } from '../address.ts'
import type { Cell } from '../cell.ts'
import { dictLookup, key32 } from '../dictionary.ts'
import { beginParse } from '../slice.ts'
import { expectTag } from './tag.ts'

/** TL-B SuspendedAddressList, configuration parameter 44; `addresses` is for isSuspendedAddress. */
export interface SuspendedAddressList {
  /** HashmapE 288 Unit; keys are the workchain (int32) and the account id. */
  addresses: Cell | null
  /** Unix seconds. */
  suspended_until: number
}

/** TL-B SuspendedAddressList. Throws `malformed`. */
export const parseSuspendedAddressList = (cell: Cell): SuspendedAddressList => {
  const slice = beginParse(cell)
  expectTag(slice, 8, 0, 'SuspendedAddressList')
  return { addresses: slice.maybeRef(), suspended_until: slice.uint(32) }
}

/** True when the list names the account and is still in force at `now` (unix seconds; node: is_suspended_address). */
export const isSuspendedAddress = (list: SuspendedAddressList, address: Address, now: number): boolean =>
  now < list.suspended_until &&
  dictLookup(list.addresses, 288, Buffer.concat([key32(address.workchain), address.hash])) !== null
