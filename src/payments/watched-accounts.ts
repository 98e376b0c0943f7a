import { makeUlid, ulidTime } from '../common/ulid.ts'
import type { KeyNetwork } from '../model/api-key.ts'
import type { Transfer } from '../model/payments.ts'
import type { PaymentStore } from '../store/payments/environment.ts'
import { transfersFrom } from '../store/payments/transfers.ts'
import { type Address, rawAddress } from '../ton/address.ts'

/** The accounts whose transactions tell what became of transfers: those that an index of chosen accounts keeps for them. */
export interface WatchedAccounts {
  /** Takes over what was asked for since. @param now unix seconds: those who were to pay are forgotten a day after the end */
  refresh(now: number): void
  has(address: Address): boolean
}

/** Seconds behind the end of a transfer in which a payment that fails is still looked for. */
const GRACE = 86_400
/** Milliseconds by which a transfer may be written later than its reference says. */
const MARGIN = 60_000

/**
 * Watches the recipient and its jetton wallet for good: whatever arrives touches them. The sender and its jetton wallet,
 * where a payment may fail before that, only while one is waited for. Who has no key of a merchant cannot have anything kept.
 */
export const watchAccounts = (store: PaymentStore, network: KeyNetwork): WatchedAccounts => {
  const recipients = new Set<string>()
  const senders = new Map<string, number>()
  let from = makeUlid(0, Buffer.alloc(10))
  let swept = 0

  const watch = ({ sender, recipient, jetton_wallets, expires }: Transfer): void => {
    const until = expires + GRACE
    recipients.add(rawAddress(recipient))
    if (jetton_wallets) recipients.add(rawAddress(jetton_wallets.recipient))
    for (const one of jetton_wallets ? [sender, jetton_wallets.sender] : [sender]) {
      const name = rawAddress(one)
      senders.set(name, Math.max(until, senders.get(name) ?? 0))
    }
  }

  return {
    refresh: (now) => {
      let newest = from
      for (const transfer of transfersFrom(store, from)) {
        if (transfer.network === network && transfer.merchant !== null) watch(transfer)
        newest = transfer.reference
      }
      const next = makeUlid(Math.max(0, ulidTime(newest) - MARGIN), Buffer.alloc(10))
      if (next > from) from = next
      if (now < swept + GRACE) return
      swept = now
      for (const [name, until] of senders) if (until < now) senders.delete(name)
    },
    has: (address) => {
      const name = rawAddress(address)
      return recipients.has(name) || senders.has(name)
    },
  }
}
