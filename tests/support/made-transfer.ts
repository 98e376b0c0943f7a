import type { Cell } from '../../src/ton/cell.ts'
import { query, storeAccount } from './made-facts.ts'
import type { MadeMessage } from './made-trace.ts'

/** A jetton transfer by numbers of made accounts; the facts must tell whose wallet `receiverWallet` is. */
export interface MadeTransfer {
  sender: number
  senderWallet: number
  receiverWallet: number
  receiver: number
  amount: bigint
  payload?: Cell
  /** What the receiver sends when it is told. */
  sends?: readonly MadeMessage[]
}

/** The message to the sender's wallet, and what follows from it (TEP-74). */
export const madeTransfer = ({ payload, ...of }: MadeTransfer): MadeMessage => {
  const withPayload = (builder: ReturnType<typeof query>): Cell =>
    (payload ? builder.bit(true).ref(payload) : builder.bit(false)).endCell()
  const asked = storeAccount(storeAccount(query(0x0f8a7ea5).coins(of.amount), of.receiver), of.sender)
  const passed = storeAccount(storeAccount(query(0x178d4519).coins(of.amount), of.sender), of.sender)
  const told = storeAccount(query(0x7362d09c).coins(of.amount), of.sender)
  return {
    to: of.senderWallet,
    body: withPayload(asked.bit(false).coins(1n)),
    sends: [
      {
        to: of.receiverWallet,
        body: withPayload(passed.coins(1n)),
        sends: [{ to: of.receiver, body: withPayload(told), sends: of.sends ?? [] }],
      },
    ],
  }
}
