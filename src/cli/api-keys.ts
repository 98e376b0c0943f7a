import { hash, timingSafeEqual } from 'node:crypto'
import type { ApiKey, KeyLookup } from '../api/middleware/api-key.ts'
import type { Logger } from '../common/logger.ts'
import type { Plan } from '../common/plans.ts'
import type { StopStack } from '../common/shutdown.ts'
import { findKey, type KeyStore, listKeys, openKeyStore } from '../store/api-keys.ts'
import { openForServer } from './open-for-server.ts'

const digest = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** Finds the one key without a limit, as it is now. */
export const freeKeyLookup = (freeKey: () => string | undefined, network: string): KeyLookup => {
  const key: ApiKey = { name: 'api_key', owner: 'api_key', network, plan: '', rps: 0 }
  let known: { secret: string; digest: Buffer } | undefined
  return (sent) => {
    const secret = freeKey()
    if (secret === undefined) return undefined
    if (known?.secret !== secret) known = { secret, digest: digest(secret) }
    return timingSafeEqual(digest(sent), known.digest) ? key : undefined
  }
}

/**
 * Finds the keys that `tonlith keys` made. Each look-up reads the store, so what another process has changed counts from
 * the next turn of the loop on. A key of a plan that the settings no longer have counts as of the first plan.
 */
export const storedKeyLookup = (store: KeyStore, plans: () => readonly Plan[]): KeyLookup => {
  return (secret) => {
    const found = findKey(store, secret)
    if (!found || found.revoked !== null) return undefined
    const known = plans()
    const plan = known.find(({ name }) => name === found.plan) ?? known[0]!
    return { name: found.name, owner: found.owner, network: found.network, plan: plan.name, rps: plan.rps }
  }
}

const warnOfUnknownPlans = (store: KeyStore, plans: readonly Plan[], logger: Logger): void => {
  for (const { name, plan, revoked } of listKeys(store))
    if (revoked === null && !plans.some((known) => known.name === plan))
      logger.warn({ key: name, plan }, `the settings have no such plan: the key counts as ${plans[0]!.name}`)
}

export interface KeySources {
  data: string
  network: string
  /** The plans as they are now. */
  plans(): readonly Plan[]
  /** The secret of the key without a limit, as it is now. */
  freeKey(): string | undefined
  logger: Logger
  parts: StopStack
}

/**
 * All keys that a server knows.
 * @throws TonlithError when the store of keys is damaged, of another version, or LMDB cannot be loaded
 */
export const openKeys = async ({ data, network, plans, freeKey, logger, parts }: KeySources): Promise<KeyLookup> => {
  const store = await openForServer(
    (readOnly) => openKeyStore(data, readOnly),
    (reason) => logger.warn({ reason }, 'API keys cannot be read: only api_key is known'),
  )
  const lookups = [freeKeyLookup(freeKey, network)]
  if (store) {
    parts.add(store.close)
    warnOfUnknownPlans(store, plans(), logger)
    lookups.push(storedKeyLookup(store, plans))
  }
  return (secret) => {
    for (const lookup of lookups) {
      const key = lookup(secret)
      if (key) return key
    }
    return undefined
  }
}
