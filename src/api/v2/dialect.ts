import { type Json, stringifyJson } from '../../common/lossless-json.ts'
import { type Address, type AddressFlags, BOUNCEABLE, friendlyAddress, rawAddressUpper } from '../../ton/address.ts'
import type { BlockIdExt } from '../../ton/block-id.ts'

/**
 * The two ways of saying the same answer; this file is the only place where they differ.
 *
 * `spec` (on /api/v2) speaks the words of spec.md: block ids are `chain.blockIdExt`, and every address in an output object
 * is raw. spec.md leaves the case of the hex open; ours is upper, the form that the reference normalises to and shows in
 * `account` (contracts/v2.md 2.1, 2.2, 24 #1). Fields that are raw in both keep the reference's case.
 *
 * `toncenter` (on /ton/api/v2) is what deployed SDKs check literally: `ton.blockIdExt`, friendly URL-safe addresses,
 * bounceable and without test-only flag, or with the caller's flags where the answer repeats the asked address. What these
 * SDKs cannot read at all on a TVM stack (NaN, builders, continuations) they get in a form that they can.
 */
export const DIALECTS = ['spec', 'toncenter'] as const
export type Dialect = (typeof DIALECTS)[number]

const DIALECTAL = Symbol('dialectal')

interface BlockIdValue {
  readonly [DIALECTAL]: 'blockIdExt'
  readonly id: BlockIdExt
}
interface AddressValue {
  readonly [DIALECTAL]: 'address'
  readonly address: Address
  readonly flags: AddressFlags
}

interface ChoiceValue {
  readonly [DIALECTAL]: 'choice'
  readonly spec: Neutral
  readonly toncenter: Neutral
}

/**
 * What serialisers emit: JSON values in which bigint stands for an exact number, a Buffer for standard base64, and block
 * ids and addresses for what the dialect makes of them. A key whose value is undefined is left out.
 */
export type Neutral =
  | null
  | boolean
  | number
  | bigint
  | string
  | Buffer
  | BlockIdValue
  | AddressValue
  | ChoiceValue
  | readonly Neutral[]
  | { readonly [key: string]: Neutral | undefined }

/** A block id object. */
export const blockIdExt = (id: BlockIdExt): Neutral => ({ [DIALECTAL]: 'blockIdExt', id })

/**
 * An address as text; the empty text where there is none (external, addr_none). `flags` are those of the form that the
 * caller used, given only where the answer repeats the asked address.
 */
export const addressText = (address: Address | undefined, flags: AddressFlags = BOUNCEABLE): Neutral =>
  address === undefined ? '' : { [DIALECTAL]: 'address', address, flags }

/** An `accountAddress` object around addressText. */
export const accountAddress = (address: Address | undefined, flags?: AddressFlags): Neutral => ({
  '@type': 'accountAddress',
  account_address: addressText(address, flags),
})

/** What each dialect says where they differ in more than words. */
export const byDialect = (spec: Neutral, toncenter: Neutral): Neutral => ({ [DIALECTAL]: 'choice', spec, toncenter })

/** The text of an address in a dialect, as addressText describes it. */
export const addressIn = (dialect: Dialect, address: Address | undefined, flags: AddressFlags = BOUNCEABLE): string => {
  if (address === undefined) return ''
  return dialect === 'spec' ? rawAddressUpper(address) : friendlyAddress(address, flags)
}

/** The `@type` of block ids. */
export const blockIdType = (dialect: Dialect): string => (dialect === 'spec' ? 'chain.blockIdExt' : 'ton.blockIdExt')

const renderBlockId = (id: BlockIdExt, dialect: Dialect): Json => ({
  '@type': blockIdType(dialect),
  workchain: id.workchain,
  shard: String(id.shard),
  seqno: id.seqno,
  root_hash: id.root_hash.toString('base64'),
  file_hash: id.file_hash.toString('base64'),
})

const isDialectal = (value: object): value is BlockIdValue | AddressValue | ChoiceValue => DIALECTAL in value

/** Turns what a serialiser emitted into JSON of the dialect; keys keep their order. */
export const render = (value: Neutral, dialect: Dialect): Json => {
  if (typeof value !== 'object' || value === null) return value
  if (Buffer.isBuffer(value)) return value.toString('base64')
  if (Array.isArray(value)) return value.map((item: Neutral) => render(item, dialect))
  if (isDialectal(value)) {
    if (value[DIALECTAL] === 'blockIdExt') return renderBlockId(value.id, dialect)
    if (value[DIALECTAL] === 'choice') return render(value[dialect], dialect)
    return addressIn(dialect, value.address, value.flags)
  }
  const fields = value as { readonly [key: string]: Neutral | undefined }
  const out: Record<string, Json> = {}
  for (const key in fields) {
    const field = fields[key]
    if (field !== undefined) out[key] = render(field, dialect)
  }
  return out
}

/** A result that writes its own JSON text, in a third of the time: for what is asked for in pages. */
export type Written = (dialect: Dialect) => string

/** What a method gives. */
export type Result = Neutral | Written

/** The JSON text of a result in the dialect. */
export const resultText = (result: Result, dialect: Dialect): string =>
  typeof result === 'function' ? result(dialect) : stringifyJson(render(result, dialect))
