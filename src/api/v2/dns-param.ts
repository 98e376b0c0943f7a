import { isTonlithError, TonlithError } from '../../common/errors.ts'
import { dnsCategory, encodeDomain, normalDomain } from '../../contracts/dns-name.ts'
import { STRING } from '../json-schema.ts'
import { parseHash } from './hash-text.ts'
import type { Param } from './param.ts'

/** A domain name in its normal form, and in DNS form. */
export interface DomainName {
  text: string
  encoded: Buffer
}

const unparsable = (name: string): TonlithError => new TonlithError('invalid', `failed to parse ${name}`)

const parseDomain = (input: string, name: string): DomainName => {
  const text = normalDomain(input)
  try {
    return { text, encoded: encodeDomain(text) }
  } catch (error) {
    if (isTonlithError(error, 'invalid')) throw unparsable(name)
    throw error
  }
}

/** A domain name in any case, with or without a dot at its end; undefined when it is not sent. */
export const domainName = (description: string): Param<DomainName | undefined> => ({
  required: false,
  description,
  schema: STRING,
  read: (input, name) => {
    if (input === undefined || input === null) return undefined
    if (typeof input !== 'string') throw unparsable(name)
    return parseDomain(input, name)
  },
  key: (value) => value?.encoded.toString('hex') ?? '',
})

const parseCategory = (text: string): Buffer => parseHash(text) ?? dnsCategory(text)

/**
 * The category of DNS records: a hash in any form, or the name that it is the SHA-256 of. Undefined for all categories: when
 * it is not sent, or is zero.
 */
export const dnsCategoryParam: Param<Buffer | undefined> = {
  required: false,
  description:
    'Only records of this category: its name (wallet, site, storage, …) or the hash of it. All when left out',
  schema: STRING,
  read: (input, name) => {
    if (input === undefined || input === null || input === '' || input === '0' || input === 0) return undefined
    if (typeof input !== 'string' || !input.isWellFormed()) throw unparsable(name)
    const category = parseCategory(input)
    return category.some((byte) => byte !== 0) ? category : undefined
  },
  key: (value) => value?.toString('hex') ?? '',
}
