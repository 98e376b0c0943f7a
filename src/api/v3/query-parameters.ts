import { nearestWord } from '../../common/edit-distance.ts'
import { queryPairs } from '../query.ts'
import type { ParamsSpec, QuerySource } from './method.ts'
import { minSeqno, refusal } from './param.ts'
import { readBool, readUint64 } from './value-formats.ts'

/** What stands in a query under each name: in lower case, without the brackets of lists, without empty values. */
export type SentParameters = ReadonlyMap<string, readonly string[]>

/** Names that every method takes beside its parameters; `_` is what wallets send against caches. */
const COMMON = new Set([
  '_',
  'api_key',
  'min_mc_seqno',
  'x_debug_request',
  'x_no_address_book',
  'x_no_metadata',
  'x_timeout',
])

const BRACKETS = '[]'

/** Reads the query of a URL. Names count in any case. */
export const sentParameters = (url: string): SentParameters => {
  const sent = new Map<string, string[]>()
  for (const [given, value] of queryPairs(url)) {
    if (given === '') continue
    const name = given.endsWith(BRACKETS) ? given.slice(0, -BRACKETS.length) : given
    const values = sent.getOrInsertComputed(name.toLowerCase(), () => [])
    if (value !== '') values.push(value)
  }
  return sent
}

const MAX_SHOWN = 60

/**
 * The parameters of a method in a query. A name that the method does not have is refused: it may be a filter.
 * Throws `invalid`.
 */
export const parametersOf = (sent: SentParameters, params: ParamsSpec): QuerySource => {
  const known = new Set(Object.entries(params).flatMap(([name, { aliases = [] }]) => [name, ...aliases]))
  for (const name of sent.keys()) {
    if (known.has(name) || COMMON.has(name)) continue
    const near = nearestWord(name, known)
    const hint = near === undefined ? '' : `, did you mean "${near}"?`
    throw refusal(`unknown parameter ${JSON.stringify(name.slice(0, MAX_SHOWN))}${hint}`)
  }
  return (name, { aliases = [] }) => [name, ...aliases].flatMap((each) => sent.get(each) ?? [])
}

/** What a caller wants of any answer (contracts/v3.md 1.4). */
export interface Wishes {
  addressBook: boolean
  metadata: boolean
  /** What X-Actions-Version says, in place of `supported_action_types`. */
  actionsVersion: string | undefined
  /** Milliseconds that the caller waits; undefined where it was not said. */
  timeoutMs: number | undefined
  minSeqno: number | undefined
}

/** Reads the wishes: headers first, else the query. Throws `invalid`. */
export const wishesOf = (headers: Headers, sent: SentParameters): Wishes => {
  const told = (header: string, name: string): string => headers.get(header) ?? sent.get(name)?.at(-1) ?? ''
  const unwanted = (header: string, name: string): boolean => readBool(told(header, name)) === true
  const timeout = readUint64(told('x-timeout', 'x_timeout'))
  return {
    addressBook: !unwanted('x-no-address-book', 'x_no_address_book'),
    metadata: !unwanted('x-no-metadata', 'x_no_metadata'),
    actionsVersion: headers.get('x-actions-version')?.trim() || undefined,
    timeoutMs: timeout === undefined || timeout === 0n ? undefined : Number(timeout),
    minSeqno: minSeqno.read(sent.get('min_mc_seqno') ?? [], 'min_mc_seqno'),
  }
}
