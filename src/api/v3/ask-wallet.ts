import type { AskedMessage } from '../../chain/emulate-trace.ts'
import { isTonlithError, TonlithError } from '../../common/errors.ts'
import { transferMessage } from '../../contracts/transfer-message.ts'
import { readWalletInfo, type WalletInfo } from '../../contracts/wallet-info.ts'
import { walletRequest } from '../../contracts/wallet-request.ts'
import type { Account } from '../../model/account.ts'
import type { Address } from '../../ton/address.ts'
import type { Cell } from '../../ton/cell.ts'
import { externalMessage } from '../../ton/external-message.ts'
import type { TonConnectMessage } from './tonconnect-param.ts'

/** Seconds for which a request is good that does not say for how long. */
const VALID_FOR = 300

/** The wallet that an account is. Throws `notFound` and `conflict`. */
const walletOf = ({ code, data, status }: Account): WalletInfo => {
  // Wallet apps know it by this text, which is the reference's.
  if (status === 'nonexist')
    throw new TonlithError('notFound', 'Failed to fetch account state: Account not found in accounts_dict')
  if (status !== 'active')
    throw new TonlithError('conflict', `the account is ${status}: it has no code that could take a request`)
  const wallet = readWalletInfo(code, data)
  if (!wallet) throw new TonlithError('conflict', 'Account is not a known wallet')
  return wallet
}

/** An ordered message as the wallet is given it. */
const written =
  (from: Address) =>
  ({ to, bounce, amount, extra_currency, payload, state_init, mode }: TonConnectMessage) => {
    const value = { grams: amount, other: extra_currency }
    return { mode, message: transferMessage({ from, to, bounce, value, init: state_init, body: payload }) }
  }

/** Cells that are too deep to stand in others make no request. */
const fitting = (write: () => Cell): Cell => {
  try {
    return write()
  } catch (error) {
    if (!isTonlithError(error, 'limit')) throw error
    throw new TonlithError('invalid', `the messages do not fit into a request: ${error.message}`)
  }
}

/**
 * The external message by which the app of a wallet would ask it for these messages, but for the signature. Writing it
 * throws `notFound` where there is no account, `conflict` where it is no wallet that is known or takes fewer messages, and
 * `invalid` for messages that do not fit.
 */
export const askWallet = (
  from: Address,
  messages: readonly TonConnectMessage[],
  valid_until: number | undefined,
): AskedMessage => ({
  to: from,
  write: (account, now) => {
    const wallet = walletOf(account)
    const until = valid_until ?? now + VALID_FOR
    return fitting(() => {
      const body = walletRequest({ wallet, messages: messages.map(written(from)), valid_until: until })
      return externalMessage({ dest: from, body, init: undefined })
    })
  },
})
