import { randomBytes } from 'node:crypto'
import { isTonlithError, TonlithError } from '../common/errors.ts'
import { makeUlid } from '../common/ulid.ts'
import { type GetMethods, requiredAddressAt, stackAddress } from '../contracts/get-methods.ts'
import type { KeyNetwork } from '../model/api-key.ts'
import type { Merchant, Transfer } from '../model/payments.ts'
import type { GroupCommit } from '../store/group-commit.ts'
import type { PaymentStore } from '../store/payments/environment.ts'
import { addTransfer, type UnpaidLimits } from '../store/payments/transfers.ts'
import type { Address } from '../ton/address.ts'
import { cellToBoc } from '../ton/boc-writer.ts'
import { rawAmountOf } from './asset-amount.ts'
import { type JettonSources, readJettonAsset } from './jetton-asset.ts'
import { keptLater } from './kept.ts'
import { defaultQueryId, JETTON_FEES, transferBody } from './transfer-body.ts'
import { NATIVE_ASSET, shownAddress } from './transfer-info.ts'

/** What somebody asks to be paid. */
export interface TransferOrder {
  readonly merchant: Merchant | null
  /** In whole units, a decimal number as JSON writes it. */
  readonly amount: string
  /** The jetton's master; null for the native coin. */
  readonly asset: Address | null
  /** Null for the merchant's wallet. */
  readonly recipient: Address | null
  readonly sender: Address
  /** Null for one that is made up. */
  readonly query_id: bigint | null
  readonly comment_to_sender: string | null
  readonly comment_to_recipient: string | null
}

/** What a wallet is given to sign (TON Connect), in friendly form, nano-units and base64. */
export interface WalletMessage {
  readonly address: string
  readonly amount: string
  readonly payload: string
}

export interface CreatedTransfer {
  readonly transfer: Transfer
  readonly message: WalletMessage
}

/** What the making of transfers needs. */
export interface TransferParts {
  readonly store: PaymentStore
  readonly writes: GroupCommit
  readonly network: KeyNetwork
  readonly jettons: JettonSources
  /** The contracts of the network at its newest block. */
  methods(signal: AbortSignal): Promise<GetMethods>
  /** False for a wallet, and where there is no contract. */
  isBounceable(address: Address, signal: AbortSignal): Promise<boolean>
  /**
   * Looks whether a payment would be seen.
   * @throws TonlithError `conflict` or `unavailable` with words for the caller where it would not
   */
  mustSee(order: Pick<TransferOrder, 'merchant'>): void
  /** Seconds until a transfer expires. */
  readonly lifetime: number
  readonly limits: UnpaidLimits
  /** Unix milliseconds. */
  now(): number
}

/** Transfers that wait to be paid, at most. */
export const UNPAID_LIMITS: UnpaidLimits = { ofMerchant: 1_000_000, ofNobody: 100_000 }

const recipientOf = ({ recipient, merchant }: TransferOrder): Address => {
  const found = recipient ?? merchant?.wallet
  if (found) return found
  const why = merchant ? 'the merchant has no wallet' : 'there is no API key of a merchant'
  throw new TonlithError('invalid', `recipientAddr is required: ${why}`)
}

const walletOf = async (methods: GetMethods, master: Address, owner: Address): Promise<Address> => {
  const answer = await methods.run(master, 'get_wallet_address', [stackAddress(owner)])
  if (!answer) throw new TonlithError('invalid', 'asset is no jetton master: it has no get_wallet_address')
  try {
    return requiredAddressAt(answer, 0)
  } catch (error) {
    if (!isTonlithError(error, 'malformed')) throw error
    throw new TonlithError('invalid', 'asset is no jetton master: its get_wallet_address gives no address')
  }
}

type Asset = Pick<Transfer, 'asset' | 'decimals' | 'ticker' | 'jetton_wallets'>

const NATIVE: Asset = { asset: null, decimals: 9, ticker: NATIVE_ASSET, jetton_wallets: null }

const readAsset = async (
  { methods, jettons }: TransferParts,
  asset: Address | null,
  { sender, recipient }: Pick<Transfer, 'sender' | 'recipient'>,
  signal: AbortSignal,
): Promise<Asset> => {
  if (asset === null) return NATIVE
  const running = await methods(signal)
  const told = await readJettonAsset(asset, running, jettons)
  const [ofSender, ofRecipient] = await Promise.all([
    walletOf(running, asset, sender),
    walletOf(running, asset, recipient),
  ])
  return { asset, ...told, jetton_wallets: { sender: ofSender, recipient: ofRecipient } }
}

const messageOf = (transfer: Transfer, payload: string): WalletMessage => {
  const { network, jetton_wallets, recipient, recipient_bounceable, raw_amount } = transfer
  return jetton_wallets
    ? { address: shownAddress(jetton_wallets.sender, network, true), amount: String(JETTON_FEES), payload }
    : { address: shownAddress(recipient, network, recipient_bounceable), amount: String(raw_amount), payload }
}

/**
 * Makes a transfer: what the wallet of the sender has to sign, and the reference by which the payment is recognised. It is
 * kept when this ends.
 * @throws TonlithError `invalid` for an amount, asset or recipient that cannot be used, `unavailable` (503) when too many
 * transfers wait to be paid and when it cannot be kept; what `mustSee`, readJettonAsset and reading the chain throw
 */
export const createTransfer = async (
  parts: TransferParts,
  order: TransferOrder,
  signal: AbortSignal,
): Promise<CreatedTransfer> => {
  const { sender, merchant, comment_to_sender, comment_to_recipient } = order
  parts.mustSee(order)
  const recipient = recipientOf(order)
  const [asset, recipient_bounceable] = await Promise.all([
    readAsset(parts, order.asset, { sender, recipient }, signal),
    parts.isBounceable(recipient, signal),
  ])
  const raw_amount = rawAmountOf(order.amount, asset.decimals)
  const now = parts.now()
  const created = Math.floor(now / 1000)
  const reference = makeUlid(now, randomBytes(10))
  const query_id = order.query_id ?? defaultQueryId(reference)
  const body = transferBody({ reference, comment_to_recipient, ...asset, raw_amount, sender, recipient, query_id })
  const transfer: Transfer = {
    reference,
    merchant: merchant?.id ?? null,
    network: parts.network,
    ...asset,
    raw_amount,
    sender,
    recipient,
    recipient_bounceable,
    body_hash: body.hash(),
    comment_to_sender,
    comment_to_recipient,
    query_id,
    created,
    expires: created + parts.lifetime,
    payments: [],
    more_payments: 0,
  }
  await keptLater(parts.writes.run(() => addTransfer(parts.store, transfer, parts.limits)))
  return { transfer, message: messageOf(transfer, cellToBoc(body).toString('base64')) }
}
