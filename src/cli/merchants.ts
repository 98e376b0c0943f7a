import { TonlithError } from '../common/errors.ts'
import type { MerchantFields, MerchantsAction } from '../config/merchants-command.ts'
import type { Settings } from '../config.ts'
import { KEY_NETWORKS, type KeyNetwork } from '../model/api-key.ts'
import type { Merchant } from '../model/payments.ts'
import { makeMerchant } from '../payments/new-merchant.ts'
import { newMerchantKey, newWebhookSecret, rotateSecret } from '../payments/secrets.ts'
import { shownAddress } from '../payments/transfer-info.ts'
import { enteredUrl, ignoredReason } from '../payments/webhook-url.ts'
import { openPaymentStore, type PaymentStore } from '../store/payments/environment.ts'
import {
  addMerchantKey,
  changeMerchant,
  listMerchantKeys,
  listMerchants,
  revokeMerchantKey,
} from '../store/payments/merchants.ts'
import { type Address, tryParseAddress } from '../ton/address.ts'
import { existingData } from './existing-data.ts'
import { textTable, timeText } from './text-table.ts'

const checkedNetwork = (network: string): KeyNetwork => {
  const known = KEY_NETWORKS.find((candidate) => candidate === network)
  if (known === undefined)
    throw new TonlithError('invalid', `there is no network ${network}; the networks are ${KEY_NETWORKS.join(', ')}`)
  return known
}

const walletOf = (text: string): Address | null => {
  if (text === '') return null
  const address = tryParseAddress(text)
  if (!address) throw new TonlithError('invalid', `${text} is no address`)
  return { workchain: address.workchain, hash: address.hash }
}

/**
 * Who types a command does not come back to it as merchants do to their dashboard: what nothing would be sent to is refused.
 */
const urlOf = (text: string, network: KeyNetwork): string | null => {
  if (text === '') return null
  const url = enteredUrl(text, network)
  const reason = ignoredReason(url, network)
  if (reason !== null)
    throw new TonlithError('invalid', `the webhook cannot be set: ${reason}, and nothing else is sent to on ${network}`)
  return url
}

/**
 * The merchant of this name that is not disabled.
 * @throws TonlithError `notFound` when there is none, `invalid` when there are several and no network is told
 */
export const merchantCalled = (store: PaymentStore, name: string, network: string | undefined): Merchant => {
  const found = listMerchants(store).filter(
    (merchant) =>
      merchant.name === name && merchant.disabled === null && (network === undefined || merchant.network === network),
  )
  if (found.length > 1)
    throw new TonlithError('invalid', `there are several merchants ${name}: name one with --network NETWORK`)
  if (!found[0]) throw new TonlithError('notFound', `there is no merchant ${name}; tonlith merchants list tells them`)
  return found[0]
}

const changed = (merchant: Merchant, { name, wallet, webhook }: MerchantFields): Merchant => ({
  ...merchant,
  ...(name !== undefined && { name }),
  ...(wallet !== undefined && { wallet: walletOf(wallet) }),
  ...(webhook !== undefined && { webhook: { ...merchant.webhook, url: urlOf(webhook, merchant.network) } }),
})

const HEAD = ['NAME', 'NETWORK', 'WALLET', 'WEBHOOK', 'KEYS', 'CREATED', 'DISABLED']

const rowOf = (store: PaymentStore, merchant: Merchant): string[] => {
  const { id, name, network, wallet, webhook, created, disabled } = merchant
  const valid = listMerchantKeys(store, id).filter(({ revoked }) => revoked === null)
  return [
    name,
    network,
    wallet === null ? '-' : shownAddress(wallet, network, false),
    webhook.url ?? '-',
    valid.map((key) => key.name).join(', ') || '-',
    timeText(created),
    disabled === null ? '-' : timeText(disabled),
  ]
}

/** What the operator is told of a webhook that nothing is sent to, though its merchant has set it. */
const warnings = ({ webhook, network }: Merchant): string[] => {
  const reason = ignoredReason(webhook.url, network)
  return reason === null ? [] : [`the webhook is ignored: ${reason}`]
}

const perform = (action: MerchantsAction, settings: Settings, store: PaymentStore, now: number): string[] => {
  const seconds = Math.floor(now / 1000)
  if (action.action === 'list') return textTable([HEAD, ...listMerchants(store).map((each) => rowOf(store, each))])
  const { name, network } = action
  if (action.action === 'add') {
    const { wallet = '', webhook = '' } = action.fields
    const of = checkedNetwork(network ?? settings.network)
    const fields = { name, network: of, wallet: walletOf(wallet), url: urlOf(webhook, of) }
    const { key, secret } = makeMerchant(store, fields, now)
    return [`api key ${key}`, `webhook secret ${secret}`]
  }
  const { id } = merchantCalled(store, name, network)
  switch (action.action) {
    case 'set': {
      const merchant = changeMerchant(store, id, (found) => changed(found, action.fields))
      return [`changed ${merchant.name}`, ...warnings(merchant)]
    }
    case 'rotate': {
      const secret = newWebhookSecret()
      changeMerchant(store, id, (found) => rotateSecret(found, secret, seconds))
      return [`webhook secret ${secret}`]
    }
    case 'add-key': {
      const key = newMerchantKey()
      addMerchantKey(store, key, { merchant: id, name: action.key, created: seconds, revoked: null })
      return [`api key ${key}`]
    }
    case 'revoke':
      if (action.key === undefined) changeMerchant(store, id, (found) => ({ ...found, disabled: seconds }))
      else revokeMerchantKey(store, id, action.key, seconds)
      return [action.key === undefined ? `disabled ${name}` : `revoked ${action.key} of ${name}`]
  }
}

/**
 * Works on the merchants in the data folder, and prints what came of it once that is on disk: secrets are printed when they
 * are made and never again. A server that has the folder open needs no restart.
 * @throws TonlithError for a name that is taken or unknown, an address, URL or network that is none, and a folder that
 * is missing or cannot be used
 */
export const merchants = async (
  action: MerchantsAction,
  settings: Settings,
  print: (line: string) => void,
): Promise<void> => {
  if (action.action !== 'add') existingData(settings.data)
  const store = await openPaymentStore(settings.data)
  try {
    const lines = perform(action, settings, store, Date.now())
    await store.flushed()
    lines.forEach(print)
  } finally {
    await store.close()
  }
}
