import type { Address } from '../ton/address.ts'
import { beginCell } from '../ton/builder.ts'
import type { Cell } from '../ton/cell.ts'
import { snakeCell } from '../ton/snake.ts'
import { storeStdAddress } from '../ton/tlb/msg-address.ts'
import { JETTON_TRANSFER } from './transfer-bodies.ts'

/** What a jetton wallet is asked for. */
export interface JettonTransferOrder {
  query_id: bigint
  /** In the jetton's base units. */
  amount: bigint
  destination: Address
  response_destination: Address
  /** Nano-units. */
  forward_ton_amount: bigint
  forward_payload: Cell
}

/** TEP-74 `transfer` without custom payload, the forward payload behind a reference. Throws `limit` for what does not fit. */
export const jettonTransferBody = (order: JettonTransferOrder): Cell => {
  const head = beginCell().uint(JETTON_TRANSFER, 32).uint(order.query_id, 64).coins(order.amount)
  storeStdAddress(storeStdAddress(head, order.destination), order.response_destination)
  return head.bit(false).coins(order.forward_ton_amount).bit(true).ref(order.forward_payload).endCell()
}

const TEXT = Buffer.alloc(4)

/** The body, or forward payload, that is a text comment: opcode 0 and UTF-8 as a snake. */
export const commentCell = (text: string): Cell => snakeCell(Buffer.concat([TEXT, Buffer.from(text)]))
