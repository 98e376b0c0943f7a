import { TonlithError } from '../common/errors.ts'
import { readRegularFile } from '../common/regular-file.ts'
import { withoutCredentials } from '../common/url-text.ts'
import { type BlockIdExt, MASTERCHAIN, SHARD_ALL } from '../ton/block-id.ts'
import type { Endpoint } from './connection.ts'
import { isEd25519Key } from './curve25519.ts'

/** What must be known about a network before the first question: whom to ask, and where trust starts. */
export interface GlobalConfig {
  liteservers: Endpoint[]
  /** The zero state as a block of seqno 0; its file hash is the root of trust. */
  zeroState: BlockIdExt
  /** A block that trust may start from; the zero state when the configuration names none. */
  initBlock: BlockIdExt
}

/** A global config is some 10 kB; nothing longer than this is read. */
const MAX_LENGTH = 4 << 20
const FETCH_TIMEOUT_MS = 10_000

const invalid = (where: string, what: string): TonlithError =>
  new TonlithError('invalid', `global config: ${where} ${what}`)

type Json = Record<string, unknown>

const asObject = (value: unknown, where: string): Json => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(where, 'is no object')
  return value as Json
}

const asHash = (value: unknown, where: string): Buffer => {
  const text = typeof value === 'string' ? value : ''
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (bytes.length !== 32) throw invalid(where, 'is no hash of 32 bytes in base64')
  return bytes
}

const asInteger = (value: unknown, min: number, max: number, where: string): number => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
    throw invalid(where, `is no integer from ${min} to ${max}`)
  return value
}

/** IPv4 as the config writes it: an int32, which is the address in network order. */
const dotted = (ip: number): string => [24, 16, 8, 0].map((shift) => (ip >>> shift) & 0xff).join('.')

const hostOf = (entry: Json, where: string): string => {
  const host = entry['ip'] ?? entry['host']
  if (typeof host === 'number') return dotted(asInteger(host, -(2 ** 31), 2 ** 32 - 1, `${where}.ip`))
  if (typeof host === 'string' && /^[0-9a-z.:_-]+$/i.test(host))
    return /^-?\d+$/.test(host) ? dotted(asInteger(Number(host), -(2 ** 31), 2 ** 32 - 1, `${where}.ip`)) : host
  throw invalid(`${where}.ip`, 'is neither an address nor a host name')
}

const asEndpoint = (value: unknown, index: number): Endpoint => {
  const where = `liteservers[${index}]`
  const entry = asObject(value, where)
  const host = hostOf(entry, where)
  const port = asInteger(entry['port'], 1, 65_535, `${where}.port`)
  const id = asObject(entry['id'], `${where}.id`)
  const key = Buffer.from(typeof id['key'] === 'string' ? id['key'] : '', 'base64')
  if (!isEd25519Key(key)) throw invalid(`${where} (${host}:${port}) id.key`, 'is no Ed25519 public key')
  return { host, port, key }
}

const asBlock = (value: unknown, where: string): BlockIdExt => {
  const block = asObject(value, where)
  asInteger(block['workchain'] ?? MASTERCHAIN, MASTERCHAIN, MASTERCHAIN, `${where}.workchain`)
  return {
    workchain: MASTERCHAIN,
    shard: SHARD_ALL,
    seqno: asInteger(block['seqno'] ?? 0, 0, 2 ** 31 - 1, `${where}.seqno`),
    root_hash: asHash(block['root_hash'], `${where}.root_hash`),
    file_hash: asHash(block['file_hash'], `${where}.file_hash`),
  }
}

/**
 * Reads the text of a global config, the JSON file that every TON client starts from. Only `liteservers` and
 * `validator.zero_state` / `validator.init_block` are looked at. Throws `invalid`, naming the entry that is wrong.
 */
export const parseGlobalConfig = (text: string): GlobalConfig => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new TonlithError('invalid', 'global config: not JSON')
  }
  const config = asObject(json, 'the file')
  const list = config['liteservers']
  if (!Array.isArray(list) || list.length === 0) throw invalid('liteservers', 'is no list of servers')
  const validator = asObject(config['validator'], 'validator')
  const zeroState = asBlock(validator['zero_state'], 'validator.zero_state')
  if (zeroState.seqno !== 0) throw invalid('validator.zero_state.seqno', 'is not 0')
  const init = validator['init_block']
  return {
    liteservers: list.map(asEndpoint),
    zeroState,
    initBlock: init === undefined ? zeroState : asBlock(init, 'validator.init_block'),
  }
}

const fetchText = async (url: string): Promise<string> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) })
  if (!response.ok) throw new Error(`status ${response.status}`)
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of response.body ?? []) {
    length += part.length
    if (length > MAX_LENGTH) throw new Error('too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/**
 * Reads a global config from a file or, when `source` starts with http:// or https://, from a URL. Throws `invalid` for
 * its content, `connection` when it cannot be had.
 */
export const loadGlobalConfig = async (source: string): Promise<GlobalConfig> => {
  let text: string
  try {
    text = await (/^https?:\/\//.test(source)
      ? fetchText(source)
      : readRegularFile(source, MAX_LENGTH).toString('utf8'))
  } catch (error) {
    throw new TonlithError('connection', withoutCredentials(`global config ${source}: ${(error as Error).message}`))
  }
  return parseGlobalConfig(text)
}
