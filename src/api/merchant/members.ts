import { TonlithError } from '../../common/errors.ts'
import { jsonMembers } from '../../common/json-members.ts'
import { type Address, tryParseAddress } from '../../ton/address.ts'

/** The members of a request's body by name, as JSON texts: numbers keep each of their digits. */
export type Members = ReadonlyMap<string, string>

const MAX_DEPTH = 16

const invalid = (message: string): TonlithError => new TonlithError('invalid', message)

/** Reads a body. Throws `invalid` for what is no JSON object. */
export const readMembers = (text: string): Members => {
  try {
    const members = jsonMembers(text, MAX_DEPTH)
    if (members) return members
  } catch (cause) {
    throw new TonlithError('invalid', 'body must be JSON', { cause })
  }
  throw invalid('body must be a JSON object')
}

const isMissing = (text: string | undefined): text is undefined | 'null' => text === undefined || text === 'null'

/** A member that is a string; undefined where it is missing or null. Throws `invalid` for other values. */
export const textIn = (members: Members, name: string): string | undefined => {
  const json = members.get(name)
  if (isMissing(json)) return undefined
  if (!json.startsWith('"')) throw invalid(`${name} must be a string`)
  return JSON.parse(json) as string
}

/** As textIn; throws `invalid` where it is missing or empty, too. */
export const requiredTextIn = (members: Members, name: string): string => {
  const text = textIn(members, name)
  if (!text) throw invalid(`${name} is required`)
  return text
}

/** The text of a member that is a number or a string that holds one. Throws `invalid` where it is missing or neither. */
export const numberTextIn = (members: Members, name: string): string => {
  const json = members.get(name)
  if (isMissing(json)) throw invalid(`${name} is required`)
  if (json.startsWith('"')) return JSON.parse(json) as string
  if (!/^[-\d]/.test(json)) throw invalid(`${name} must be a number`)
  return json
}

/** Accounts elsewhere do not exist. */
const WORKCHAINS = [-1, 0]

/** An account's address in any of its forms. Throws `invalid`. */
export const addressOf = (name: string, text: string): Address => {
  const address = tryParseAddress(text)
  if (!address) throw invalid(`${name} is no address`)
  if (!WORKCHAINS.includes(address.workchain)) throw invalid(`${name} is of a workchain that does not exist`)
  return { workchain: address.workchain, hash: address.hash }
}

/** A member that is an address; undefined where it is missing, null or empty. Throws `invalid`. */
export const addressIn = (members: Members, name: string): Address | undefined => {
  const text = textIn(members, name)
  return text ? addressOf(name, text) : undefined
}
