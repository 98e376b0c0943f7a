import { decodeBody } from '../../contracts/body.ts'
import { accountIn } from '../../contracts/fields.ts'
import type { DexTransfer } from '../../model/actions/dex.ts'
import { opcodeOf } from '../../model/batch-message.ts'
import type { Address } from '../../ton/address.ts'
import type { Matcher } from '../classify/family.ts'
import { calls, detailsOf, messageOf, type Part } from '../classify/part.ts'
import { where } from '../classify/pattern.ts'
import { jettonMoved, nextCall } from './dex-parts.ts'

const HOLD_FUNDS = 0x6bc79e7e
const FAILED_SWAP = 0xee51ce51
/** What whoever asks for a swap pays for it beside. */
const SERVICE_FEE = 0xc0ffeea0

/** Sent with this opcode: TON with it as a body, or jettons with it as a payload. */
const isSentWith =
  (opcode: number) =>
  (part: Part): boolean => {
    if (calls(part, opcode)) return messageOf(part).kind === 'internal'
    const payload = detailsOf(part, 'jetton_transfer')?.forward_payload
    return payload ? opcodeOf(payload) === opcode : false
  }

const sent = (part: Part): DexTransfer => {
  if (part.btype === 'jetton_transfer') return jettonMoved(part)
  const { source, destination, value } = messageOf(part)
  const wallets = { source_jetton_wallet: null, destination_jetton_wallet: null }
  return { asset: null, source, destination, ...wallets, amount: value }
}

const columnsOf = (moved: DexTransfer) => ({
  source: moved.source,
  source_secondary: moved.source_jetton_wallet,
  destination: moved.destination,
  destination_secondary: moved.destination_jetton_wallet,
  asset: moved.asset,
  amount: moved.amount,
})

/** Whom a swap was for that did not succeed. */
const recipientIn = (part: Part): Address | null => {
  const payload = detailsOf(part, 'jetton_transfer')?.forward_payload
  return accountIn(payload ? decodeBody(payload) : part.nodes[0]!.said(), 'recipient')
}

/** Funds for a swap are held by a contract that protects it from those who would trade before it. */
export const coffeeMevProtectHoldFunds: Matcher = {
  name: 'swap.coffee funds held',
  pattern: where(isSentWith(HOLD_FUNDS), { bare: true }),
  begins: { opcodes: [HOLD_FUNDS], btypes: ['jetton_transfer'] },
  build: (start) => {
    const moved = sent(start)
    const fee = nextCall(start.previous ?? undefined, SERVICE_FEE)
    return {
      with: fee ? [fee] : [],
      btype: 'coffee_mev_protect_hold_funds',
      content: {
        type: 'coffee_mev_protect_hold_funds',
        details: {
          source: moved.source,
          source_jetton_wallet: moved.source_jetton_wallet,
          mev_contract: moved.destination,
          mev_contract_jetton_wallet: moved.destination_jetton_wallet,
          asset: moved.asset,
          amount: moved.amount,
        },
      },
      columns: columnsOf(moved),
      failed: start.failed,
    }
  },
}

/** A swap that was protected so did not succeed. */
export const coffeeMevProtectFailedSwap: Matcher = {
  name: 'swap.coffee protected swap that failed',
  pattern: where(isSentWith(FAILED_SWAP), { bare: true }),
  begins: { opcodes: [FAILED_SWAP], btypes: ['jetton_transfer'] },
  build: (start) => {
    const columns = columnsOf(sent(start))
    return {
      btype: 'coffee_mev_protect_failed_swap',
      content: { type: 'coffee_mev_protect_failed_swap', details: {} },
      columns: { ...columns, destination: recipientIn(start) ?? columns.destination },
      failed: start.failed,
    }
  },
}
