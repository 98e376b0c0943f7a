import { bytesIn, cellIn, flagIn, needInteger } from '../../contracts/fields.ts'
import type { Facts } from '../../model/known-account.ts'
import type { Address } from '../../ton/address.ts'
import type { Cell } from '../../ton/cell.ts'
import type { Matcher } from '../classify/family.ts'
import { calls, detailsOf, messageOf, type Part } from '../classify/part.ts'
import { call, oneOf, where } from '../classify/pattern.ts'

const NEW_ORDER = 0xf718510f
const ORDER_INIT = 0x9c73fba2
const APPROVE = 0xa762230f
const ACCEPTED = 0x82609bf6
const REJECTED = 0xafaf283e
const EXECUTE = 0x75097f5d

const orderAt = (address: Address | null, facts: Facts) => (address ? facts(address).multisig_order : undefined)

const saidBy = (part: Part) => part.nodes[0]!.said()

const orderCell = (part: Part): Cell => {
  const cell = cellIn(saidBy(part), 'order')
  if (!cell) throw new TypeError('no order')
  return cell
}

/** Asks for whichever number is next: the order then knows the one that it got. */
const NEXT_SEQNO = 2n ** 256n - 1n

/** An order that a multisig v2 is asked for, and that it deploys. */
export const multisigCreateOrder: Matcher = {
  name: 'order of a multisig',
  pattern: call(NEW_ORDER, { bare: true, child: call(ORDER_INIT, { as: 'order' }) }),
  build: (start, match, facts) => {
    const { source, destination } = messageOf(start)
    const deployed = match.one('order')!
    const destination_order = messageOf(deployed).destination
    const order = orderAt(destination_order, facts)
    if (!order) return undefined
    const asked = saidBy(start)
    const order_seqno = needInteger(asked, 'order_seqno')
    return {
      btype: 'multisig_create_order',
      content: {
        type: 'multisig_create_order',
        details: {
          query_id: needInteger(asked, 'query_id'),
          order_seqno: order_seqno === NEXT_SEQNO ? order.order_seqno : order_seqno,
          is_created_by_signer: flagIn(asked, 'signer') ?? false,
          is_signed_by_creator: flagIn(saidBy(deployed), 'approve_on_init') ?? false,
          creator_index: Number(needInteger(asked, 'index')),
          expiration_date: Number(needInteger(asked, 'expiration_date')),
          order_boc: orderCell(deployed),
          source,
          destination,
          destination_order,
        },
      },
      columns: { source, destination, destination_secondary: destination_order },
      feeds: order.signers,
      failed: start.failed || deployed.failed,
    }
  },
}

const APPROVE_WORD = 'approve'

const isApproval = where((part) => calls(part, APPROVE) || detailsOf(part, 'ton_transfer')?.comment === APPROVE_WORD, {
  bare: true,
  child: oneOf(call(ACCEPTED, { as: 'accepted' }), call(REJECTED, { as: 'rejected' })),
})

/** A signer who approves an order, with its opcode or in words; the order says whether that counts. */
export const multisigApprove: Matcher = {
  name: 'approval of an order',
  pattern: isApproval,
  begins: { opcodes: [APPROVE], comments: [APPROVE_WORD] },
  build: (start, match, facts) => {
    const { source, destination } = messageOf(start)
    const order = orderAt(destination, facts)
    if (!order) return undefined
    const rejected = match.one('accepted') ? undefined : match.one('rejected')
    return {
      btype: 'multisig_approve',
      content: {
        type: 'multisig_approve',
        details: {
          signer_index: calls(start, APPROVE) ? Number(needInteger(saidBy(start), 'signer_index')) : -1,
          exit_code: rejected ? Number(needInteger(saidBy(rejected), 'exit_code')) : 0,
          source,
          destination,
        },
      },
      columns: { source, destination },
      feeds: order.signers,
      failed: rejected !== undefined,
    }
  },
}

/** An order with approvals enough, which its multisig carries out. */
export const multisigExecute: Matcher = {
  name: 'execution of an order',
  pattern: call(EXECUTE, { bare: true }),
  build: (start, _match, facts) => {
    const { source, destination } = messageOf(start)
    const order = orderAt(source, facts)
    if (!order) return undefined
    const asked = saidBy(start)
    return {
      btype: 'multisig_execute',
      content: {
        type: 'multisig_execute',
        details: {
          query_id: needInteger(asked, 'query_id'),
          order_seqno: needInteger(asked, 'order_seqno'),
          expiration_date: Number(needInteger(asked, 'expiration_date')),
          approvals_num: Number(needInteger(asked, 'approvals_num')),
          signers_hash: bytesIn(asked, 'signers_hash')?.toString('base64') ?? '',
          order_boc: orderCell(start),
          source,
          destination,
        },
      },
      columns: { source, destination },
      feeds: order.signers,
      failed: start.failed,
    }
  },
}
