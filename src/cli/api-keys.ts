import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parse } from 'smol-toml'
import type { ApiKey, KeyLookup } from '../api/middleware/api-key.ts'
import { TonlithError } from '../common/errors.ts'
import { API_KEY_FORM, isApiKey } from '../config/kinds.ts'

/** The networks that a key can be made for. */
export const KEY_NETWORKS = ['mainnet', 'testnet', 'dev'] as const

/** An API key with its secret. */
export type StoredKey = ApiKey & { readonly secret: string }

const FIELDS = ['name', 'key', 'network', 'rps']

/**
 * Reads the file of API keys: TOML with one `[[keys]]` table a key, or JSON `{"keys": [...]}` with the same fields
 * (`name`, `key`, `network`, `rps`).
 * @throws TonlithError `invalid` that names the file and the entry; never with a key in its text
 */
export const readApiKeys = async (path: string): Promise<StoredKey[]> => {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new TonlithError('invalid', `the file of API keys cannot be read: ${path} (${cause.code})`, { cause })
  })
  return parseApiKeys(text, path)
}

/** The same for a text that was read already; `path` decides between JSON (`.json`) and TOML, and stands in errors. */
export const parseApiKeys = (text: string, path: string): StoredKey[] => {
  const document = parseDocument(text, path)
  if (
    !isRecord(document) ||
    Object.keys(document).some((field) => field !== 'keys') ||
    !Array.isArray(document['keys'])
  ) {
    throw new TonlithError('invalid', `the file of API keys must hold a list "keys" and nothing else (${path})`)
  }
  const keys = document['keys'].map((entry, index) => toStoredKey(entry, `key ${index + 1} (${path})`))
  if (new Set(keys.map(({ secret }) => secret)).size !== keys.length) {
    throw new TonlithError('invalid', `the file of API keys has the same key twice (${path})`)
  }
  return keys
}

const parseDocument = (text: string, path: string): unknown => {
  try {
    return path.endsWith('.json') ? JSON.parse(text) : parse(text)
  } catch {
    throw new TonlithError(
      'invalid',
      `the file of API keys is no ${path.endsWith('.json') ? 'JSON' : 'TOML'} (${path})`,
    )
  }
}

const toStoredKey = (entry: unknown, where: string): StoredKey => {
  const refuse = (what: string) => new TonlithError('invalid', `${what}: ${where}`)
  if (!isRecord(entry)) throw refuse('not a table of fields')
  const { name, key, network, rps } = entry
  const unknown = Object.keys(entry).find((field) => !FIELDS.includes(field))
  if (unknown) throw refuse(`no such field: ${unknown}`)
  if (typeof name !== 'string' || name === '') throw refuse('name must be a text')
  if (typeof key !== 'string' || !isApiKey(key)) throw refuse(`key must be ${API_KEY_FORM}`)
  if (!KEY_NETWORKS.some((known) => known === network))
    throw refuse(`network must be one of ${KEY_NETWORKS.join(', ')}`)
  if (typeof rps !== 'number' || !Number.isInteger(rps) || rps < 0) throw refuse('rps must be a whole number from 0')
  return { name, network: network as string, rps, secret: key }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Finds keys by their secret. Only hashes of the secrets are kept, so that how long a look-up takes tells nothing about
 * them.
 */
export const createKeyLookup = (keys: readonly StoredKey[]): KeyLookup => {
  const byHash = new Map(keys.map(({ secret, ...key }) => [hashOf(secret), key]))
  return (secret) => byHash.get(hashOf(secret))
}

const hashOf = (secret: string): string => hash('sha256', secret, 'base64')
