import { domainToASCII } from 'node:url'
import type { Kind } from './kinds.ts'

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const
const MAX_DELAYS = 20
const MIN_MS = 100
const MAX_MS = 48 * UNIT_MS.h

const readDelay = (text: string): number => {
  const [, digits, unit] = /^(\d{1,9})(ms|s|m|h)$/.exec(text) ?? []
  return Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS]
}

/** Delays between attempts, with commas between: `1s,5s,15s`. Gives milliseconds. */
export const retryDelays: Kind<readonly number[]> = {
  form: '1s,5s,15s',
  parse(text) {
    const delays = text.split(',').map((part) => readDelay(part.trim()))
    if (delays.length > MAX_DELAYS || !delays.every((ms) => ms >= MIN_MS && ms <= MAX_MS))
      throw new Error(`1 to ${MAX_DELAYS} delays from 100ms to 48h with commas between, such as 1s,5s,15s`)
    return delays
  },
}

/** A name or address as it stands in a URL: in lower case, IPv6 without brackets. Undefined for what is none. */
const hostOf = (text: string): string | undefined => {
  const bare = text.replace(/^\[|\]$/g, '')
  const url = `http://${bare.includes(':') ? `[${bare}]` : domainToASCII(bare) || ' '}/`
  if (!URL.canParse(url) || /[/?#@\\*]/.test(text)) return undefined
  return new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '') || undefined
}

/** Names or addresses of hosts with commas between; `none` for none. */
export const hosts: Kind<readonly string[]> = {
  form: 'none|HOSTS',
  parse(text) {
    if (text === 'none') return []
    return text.split(',').map((part) => {
      const host = hostOf(part.trim())
      if (host === undefined) throw new Error('none, or names of hosts such as shop.internal with commas between')
      return host
    })
  },
}
