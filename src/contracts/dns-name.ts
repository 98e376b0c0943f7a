import { hash } from 'node:crypto'
import { TonlithError } from '../common/errors.ts'
import { decodeUtf8 } from '../common/utf8.ts'

/** Bytes of a name in DNS form that fit into the one cell that a resolver gets. */
const MAX_BYTES = 127
/** Names hold no space and no control character (TEP-81). */
const FORBIDDEN = /[\p{Cc} ]/u
/** Names of the resolver itself. */
const SELF = new Set(['', '.'])

/** The category that a name stands for. */
export const dnsCategory = (name: string): Buffer => hash('sha256', name, 'buffer')

/** The category under which a resolver tells who knows the rest of a name. */
export const NEXT_RESOLVER = dnsCategory('dns_next_resolver')

/** A name as it is compared: ASCII letters in lower case, without the dot that may stand at its end. */
export const normalDomain = (name: string): string =>
  SELF.has(name) ? name : name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/\.$/, '')

/** encodeDomain; undefined for what is no name. */
export const tryEncodeDomain = (name: string): Buffer | undefined => {
  if (SELF.has(name)) return Buffer.alloc(1)
  const labels = name.split('.')
  if (labels.includes('') || FORBIDDEN.test(name) || !name.isWellFormed()) return undefined
  const encoded = Buffer.from(
    labels
      .reverse()
      .map((label) => `${label}\0`)
      .join(''),
  )
  return encoded.length > MAX_BYTES ? undefined : encoded
}

/**
 * The DNS form of a normal name (TEP-81): its labels from the last to the first, each with a zero byte behind it; one zero
 * byte for the resolver's own name, "" or ".". Throws `invalid` for empty labels, spaces, control characters, and more than
 * 127 bytes.
 */
export const encodeDomain = (name: string): Buffer => {
  const encoded = tryEncodeDomain(name)
  if (!encoded) throw new TonlithError('invalid', 'not a domain name')
  return encoded
}

/** Labels of a DNS form, the last one of the name first; undefined when they are no text. */
export const domainLabels = (encoded: Buffer): string[] | undefined =>
  decodeUtf8(encoded)
    ?.split('\0')
    .filter((label) => label !== '')

/** The part of a name that a DNS form stands for, with a dot at its end, as tonlib shows delegated names. */
export const decodeDomain = (encoded: Buffer): string =>
  (domainLabels(encoded) ?? [])
    .reverse()
    .map((label) => `${label}.`)
    .join('')
