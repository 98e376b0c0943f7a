import { integerIn } from '../../contracts/fields.ts'
import { JETTON_NOTIFY, readJettonNotify } from '../../contracts/token-messages.ts'
import type { DexTransfer } from '../../model/actions/dex.ts'
import type { Facts } from '../../model/known-account.ts'
import { type Address, sameAddress } from '../../ton/address.ts'
import type { Cell } from '../../ton/cell.ts'
import { calls, detailsOf, messageOf, type Part } from '../classify/part.ts'
import { appendedTo } from '../classify/pattern.ts'
import { isPton } from './pton.ts'

/** A proxy's wallet that passes TON on, or takes it in. */
export const PTON_TRANSFER = 0x01f3835d

/** The first message right behind a part that says one of these opcodes. */
export const nextCall = (part: Part | undefined, ...opcodes: number[]): Part | undefined =>
  part?.next.find((next) => calls(next, ...opcodes))

/** The jetton transfers right behind a part. */
export const transfersBehind = (part: Part | undefined): Part[] =>
  part?.next.filter(({ btype }) => btype === 'jetton_transfer') ?? []

/** Parts with the excesses and bounces that are right behind them. */
export const withAppended = (parts: readonly Part[]): Part[] => parts.flatMap((part) => [part, ...appendedTo(part)])

/** What a part said that must be a call. Throws where it says what its opcode does not mean. */
export const saidBy = (part: Part) => {
  const said = part.nodes[0]?.said()
  if (!said) throw new TypeError('a body that says nothing')
  return said
}

/** A transfer of jettons, proxied TON taken for the jetton that it pretends to be. Throws for another part. */
export const jettonMoved = (part: Part): DexTransfer => {
  const details = detailsOf(part, 'jetton_transfer')
  if (!details) throw new TypeError('no jetton transfer')
  const { asset, sender, receiver, sender_jetton_wallet, receiver_jetton_wallet, amount } = details
  return {
    asset,
    source: sender,
    destination: receiver,
    source_jetton_wallet: sender_jetton_wallet,
    destination_jetton_wallet: receiver_jetton_wallet,
    amount,
  }
}

/** As `jettonMoved`, proxied TON taken for TON. */
export const assetMoved = (part: Part): DexTransfer => {
  const moved = jettonMoved(part)
  return moved.asset && isPton(moved.asset) ? { ...moved, asset: null } : moved
}

/** What a wallet holds: a jetton, null for TON that a proxy stands for, undefined where it is no known wallet. */
export const assetHeldBy = (wallet: Address | null | undefined, facts: Facts): Address | null | undefined => {
  const asset = wallet ? facts(wallet).jetton_wallet?.jetton : undefined
  return asset && (isPton(asset) ? null : asset)
}

/** What an exchange was told with what it was given: the payload of a jetton transfer, or of the notice of one. */
export const payloadBehind = (cause: Part | null): Cell | undefined => {
  if (!cause) return undefined
  const transfer = detailsOf(cause, 'jetton_transfer')
  return (transfer ?? readJettonNotify(messageOf(cause).body))?.forward_payload ?? undefined
}

/** What an exchange was given, and the parts that it is. */
export interface Incoming {
  transfer: DexTransfer
  parts: Part[]
}

/**
 * What was sent to a router, told by the part that it acts upon: a transfer of jettons, or TON by a proxy's wallet, which
 * tells the router. Undefined where it was told nothing.
 */
export const incomingTo = (cause: Part | null): Incoming | undefined => {
  if (!cause) return undefined
  if (cause.btype === 'jetton_transfer') {
    const transfer = assetMoved(cause)
    const isProxied = transfer.asset === null
    const destination_jetton_wallet = isProxied ? messageOf(cause).destination : transfer.destination_jetton_wallet
    return { transfer: { ...transfer, destination_jetton_wallet }, parts: [cause] }
  }
  const paid = cause.previous
  if (!calls(cause, JETTON_NOTIFY) || !paid || !calls(paid, PTON_TRANSFER)) return undefined
  const { source, destination } = messageOf(paid)
  const amount = integerIn(paid.nodes[0]!.said(), 'ton_amount') ?? readJettonNotify(messageOf(cause).body)?.amount
  if (amount === undefined) return undefined
  return {
    transfer: {
      asset: null,
      source,
      destination: messageOf(cause).destination,
      source_jetton_wallet: null,
      destination_jetton_wallet: destination,
      amount,
    },
    parts: [paid, ...appendedTo(paid), cause, ...appendedTo(cause)],
  }
}

/** What a router gave: a transfer of jettons, or TON that a proxy's wallet passes on. */
export const outgoingBy = (part: Part): Incoming => {
  const transfer = assetMoved(part)
  const passed = transfer.asset === null ? nextCall(part, PTON_TRANSFER) : undefined
  const isPaid = passed && transfer.destination && sameAddress(messageOf(passed).destination!, transfer.destination)
  return { transfer, parts: [part, ...appendedTo(part), ...(isPaid ? [passed, ...appendedTo(passed)] : [])] }
}
