import { randomBytes } from 'node:crypto'
import { TonlithError } from '../common/errors.ts'
import type { KeysAction } from '../config/keys-command.ts'
import type { Settings } from '../config.ts'
import { KEY_NETWORKS, type KeyNetwork, type StoredKey } from '../model/api-key.ts'
import { addKey, changeKey, type KeyStore, listKeys, openKeyStore } from '../store/api-keys.ts'
import { existingData } from './existing-data.ts'
import { textTable, timeText } from './text-table.ts'

/** 192 random bits. The prefix lets people and scanners of source code see what it is. */
const newSecret = (): string => `tonlith_${randomBytes(24).toString('base64url')}`

const unixSeconds = (): number => Math.floor(Date.now() / 1000)

const checkedPlan = (plan: string, { plans }: Pick<Settings, 'plans'>): string => {
  if (plans.some(({ name }) => name === plan)) return plan
  throw new TonlithError(
    'invalid',
    `there is no plan ${plan}; the plans are ${plans.map(({ name }) => name).join(', ')}`,
  )
}

const checkedNetwork = (network: string): KeyNetwork => {
  const known = KEY_NETWORKS.find((candidate) => candidate === network)
  if (known === undefined)
    throw new TonlithError('invalid', `there is no network ${network}; the networks are ${KEY_NETWORKS.join(', ')}`)
  return known
}

const HEAD = ['NAME', 'OWNER', 'NETWORK', 'PLAN', 'CREATED', 'REVOKED']

const rowOf = ({ name, owner, network, plan, created, revoked }: StoredKey): string[] => [
  name,
  owner,
  network,
  plan,
  timeText(created),
  revoked === null ? '-' : timeText(revoked),
]

const perform = (action: KeysAction, settings: Settings, store: KeyStore): string[] => {
  switch (action.action) {
    case 'list':
      return textTable([HEAD, ...listKeys(store).map(rowOf)])
    case 'add': {
      const { name, owner = name, network = settings.network, plan = settings.plans[0]!.name } = action
      const secret = newSecret()
      const fields = { network: checkedNetwork(network), plan: checkedPlan(plan, settings) }
      addKey(store, secret, { name, owner, ...fields, created: unixSeconds(), revoked: null })
      return [secret]
    }
    case 'revoke':
      changeKey(store, action.name, { revoked: unixSeconds() })
      return [`revoked ${action.name}`]
    case 'set': {
      if (action.changes.plan !== undefined) checkedPlan(action.changes.plan, settings)
      const { name, owner, network, plan } = changeKey(store, action.name, action.changes)
      return [`${name}: owner ${owner}, network ${network}, plan ${plan}`]
    }
  }
}

/**
 * Works on the API keys in the data folder, and prints what came of it once that is on disk: of `add` the secret alone,
 * which is kept nowhere. A server that has the folder open needs no restart.
 * @throws TonlithError for a name that is taken or unknown, an unknown plan or network, and a folder that is missing or
 * cannot be used
 */
export const keys = async (action: KeysAction, settings: Settings, print: (line: string) => void): Promise<void> => {
  if (action.action !== 'add') existingData(settings.data)
  const store = await openKeyStore(settings.data)
  try {
    const lines = perform(action, settings, store)
    await store.flushed()
    lines.forEach(print)
  } finally {
    await store.close()
  }
}
