import { TonlithError } from '../common/errors.ts'
import type { MultisigEntity, MultisigOrderEntity } from '../model/entities.ts'
import { type Address, sameAddress } from '../ton/address.ts'
import { cellToBoc } from '../ton/boc-writer.ts'
import { countCells } from '../ton/cell-count.ts'
import { dictEntries } from '../ton/dictionary.ts'
import { type StackValue, stackInt } from '../ton/stack.ts'
import { accountOf, loadMsgAddressInt } from '../ton/tlb/msg-address.ts'
import {
  cellAt,
  flagAt,
  type GetMethods,
  intAt,
  numberAt,
  readAnswer,
  readOrNone,
  requiredAddressAt,
  uintAt,
} from './get-methods.ts'

type Stack = readonly StackValue[]

/** An order has at most 255 actions, each of them a message. */
const MAX_ORDER_CELLS = 8192

/** Hashmap 8 MsgAddressInt: members in the order of their numbers; null is the empty one. */
const membersAt = (stack: Stack, index: number): Address[] => {
  if (stack[index]?._ === 'vm_stk_null') return []
  return Array.from(dictEntries(cellAt(stack, index), 8), ([, value]) => {
    const account = accountOf(loadMsgAddressInt(value))
    if (!account) throw new TonlithError('malformed', 'not an account')
    return account
  })
}

const readMultisig = (stack: Stack): MultisigEntity => {
  const next_order_seqno = intAt(stack, 0)
  if (next_order_seqno < -1n) throw new TonlithError('malformed', 'not a seqno')
  return {
    _: 'multisig',
    next_order_seqno,
    threshold: numberAt(stack, 1),
    signers: membersAt(stack, 2),
    proposers: membersAt(stack, 3),
  }
}

/** The multisig v2 that a contract is, or undefined. Throws what `methods` throws. */
export const multisigEntity = async (methods: GetMethods, address: Address): Promise<MultisigEntity | undefined> =>
  readAnswer(methods, await methods.run(address, 'get_multisig_data'), readMultisig)

const bocAt = (stack: Stack, index: number): Buffer => {
  const cell = cellAt(stack, index)
  if (countCells([cell], MAX_ORDER_CELLS + 1) > MAX_ORDER_CELLS) throw new TonlithError('limit', 'order too large')
  return cellToBoc(cell)
}

const readOrder = (stack: Stack): MultisigOrderEntity => ({
  _: 'multisig_order',
  multisig_address: requiredAddressAt(stack, 0),
  order_seqno: uintAt(stack, 1),
  threshold: numberAt(stack, 2),
  sent_for_execution: flagAt(stack, 3),
  signers: membersAt(stack, 4),
  approvals_mask: uintAt(stack, 5),
  approvals_num: numberAt(stack, 6),
  expiration_date: numberAt(stack, 7),
  order_boc: bocAt(stack, 8),
})

const isKnownToMultisig = async (
  methods: GetMethods,
  address: Address,
  { multisig_address, order_seqno }: MultisigOrderEntity,
): Promise<boolean> => {
  const answer = await methods.run(multisig_address, 'get_order_address', [stackInt(order_seqno)])
  const known = answer && readOrNone(() => requiredAddressAt(answer, 0))
  const same = known !== undefined && sameAddress(known, address)
  if (!same) methods.fault?.('parent')
  return same
}

/** What of an order is known to its multisig. */
export type OrderPlace = Pick<MultisigOrderEntity, 'multisig_address' | 'order_seqno'>

/**
 * The order that a contract is, or undefined: the multisig that it names must know it by its number; `isTrusted` tells that
 * without asking. An order that was not set up yet has no threshold and is none. Throws what `methods` throws.
 */
export const multisigOrderEntity = async (
  methods: GetMethods,
  address: Address,
  isTrusted: (place: OrderPlace) => boolean = () => false,
): Promise<MultisigOrderEntity | undefined> => {
  const data = await methods.run(address, 'get_order_data')
  if (!data || data[2]?._ === 'vm_stk_null') return undefined
  const order = readAnswer(methods, data, readOrder)
  if (!order) return undefined
  return isTrusted(order) || (await isKnownToMultisig(methods, address, order)) ? order : undefined
}
