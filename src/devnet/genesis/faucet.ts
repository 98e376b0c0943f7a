import { TonlithError } from '../../common/errors.ts'
import { signEd25519 } from '../../liteserver/curve25519.ts'
import type { Address } from '../../ton/address.ts'
import { type Builder, beginCell } from '../../ton/builder.ts'
import type { Cell } from '../../ton/cell.ts'
import { buildDict } from '../../ton/dictionary-writer.ts'
import { externalMessage, type InitialState, initCell } from '../../ton/external-message.ts'
import { beginParse } from '../../ton/slice.ts'
import { storeStdAddress } from '../../ton/tlb/msg-address.ts'
import { FAUCET_CODE } from './codes.ts'
import { FAUCET_KEY } from './keys.ts'

/** What the faucet pays to one account, nano-units. */
export interface Payout {
  destination: Address
  amount: bigint
}

/** What contracts/faucet.tolk refuses to go beyond: its get-method `get_limits` says the same. */
export const FAUCET_LIMITS = {
  /** Payouts in one message. */
  payouts: 200,
  /** Nano-units of one payout. */
  amount: 1_000_000n * 1_000_000_000n,
  /** Seconds that a message may be valid. */
  lifetime: 600,
  /** Messages that are remembered until they are no longer valid. */
  remembered: 4096,
} as const

const init: InitialState = {
  code: FAUCET_CODE,
  data: beginCell().bytes(FAUCET_KEY.publicKey).uint(0, 16).bit(false).endCell(),
}

/** The faucet of the dev network, in the basechain. */
export const FAUCET: { address: Address; init: InitialState } = {
  address: { workchain: 0, hash: initCell(init).hash() },
  init,
}

const refuse = (what: string): TonlithError => new TonlithError('invalid', what)

const checkPayouts = (payouts: readonly Payout[]): void => {
  if (payouts.length === 0 || payouts.length > FAUCET_LIMITS.payouts)
    throw refuse(`the faucet makes 1 to ${FAUCET_LIMITS.payouts} payouts at once`)
  for (const { amount } of payouts)
    if (amount <= 0n || amount > FAUCET_LIMITS.amount)
      throw refuse(`the faucet pays at most ${FAUCET_LIMITS.amount} nanotons at once, and no less than 1`)
}

/**
 * The external message that makes the faucet pay. The pair of query id and time must be new; any number of messages may be
 * on their way at the same time.
 * @param query_id uint64
 * @param valid_until unix seconds, at most `FAUCET_LIMITS.lifetime` from now
 * @throws TonlithError `invalid` for no payouts, too many, or an amount that the faucet does not pay
 */
export const faucetMessage = (payouts: readonly Payout[], query_id: bigint, valid_until: number): Cell => {
  checkPayouts(payouts)
  const items = payouts.map(({ destination, amount }, i) => ({
    key: Buffer.of(i),
    store: (builder: Builder) => storeStdAddress(builder, destination).coins(amount),
  }))
  const order = beginCell().uint(valid_until, 32).uint(query_id, 64).maybeRef(buildDict(items, 8)).endCell()
  const body = beginCell().bytes(signEd25519(FAUCET_KEY.seed, order.hash())).slice(beginParse(order)).endCell()
  return externalMessage({ dest: FAUCET.address, body, init: undefined })
}
