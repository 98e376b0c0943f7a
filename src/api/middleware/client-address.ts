import { isIP } from 'node:net'
import type { TrustedProxies } from '../../common/proxies.ts'

/** An IP address as a proxy writes it: perhaps quoted, in brackets, with a port. Undefined for all else. */
const addressIn = (entry: string): string | undefined => {
  const text = entry.trim().replace(/^"(.*)"$/, '$1')
  const address = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  return isIP(address) === 0 ? undefined : address
}

const forwardedFor = (element: string): string => /(?:^|;)\s*for\s*=\s*("[^"]*"|[^;]*)/i.exec(element)?.[1] ?? ''

/** Goes from the peer along the entries that proxies added, the last one first, as far as they can be believed. */
const clientAlong = (entries: readonly string[], peer: string, proxies: TrustedProxies): string => {
  let client = peer
  for (let hop = 0; hop < entries.length; hop++) {
    if ('hops' in proxies ? hop >= proxies.hops : !proxies.trusts(client)) return client
    const next = addressIn(entries[entries.length - 1 - hop]!)
    if (next === undefined) return client
    client = next
  }
  return client
}

/**
 * The address of the client behind trusted proxies: the rightmost one in X-Forwarded-For or Forwarded (RFC 7239) that no
 * trusted proxy has. A proxy sets one of the two and may pass on what the client wrote into the other; when both are
 * there and disagree, neither is believed.
 * @param peer the address of the connection
 */
export const clientAddress = (headers: Headers, peer: string, proxies: TrustedProxies): string => {
  if ('hops' in proxies && proxies.hops === 0) return peer
  const plain = headers.get('x-forwarded-for')
  const standard = headers.get('forwarded')
  const byPlain = plain === null ? undefined : clientAlong(plain.split(','), peer, proxies)
  const byStandard = standard === null ? undefined : clientAlong(standard.split(',').map(forwardedFor), peer, proxies)
  if (byPlain !== undefined && byStandard !== undefined) return byPlain === byStandard ? byPlain : peer
  return byPlain ?? byStandard ?? peer
}

/** The eight groups of an IPv6 address as numbers. */
const groupsOf = (address: string): readonly number[] => {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const pair = (high: string, low: string): string => ((Number(high) << 8) | Number(low)).toString(16)
  const text = dotted ? `${dotted[1]}${pair(dotted[2]!, dotted[3]!)}:${pair(dotted[4]!, dotted[5]!)}` : address
  const [head = '', tail] = text.split('%', 1)[0]!.split('::')
  const numbers = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16)))
  const [front, back] = [numbers(head), numbers(tail ?? '')]
  return [...front, ...Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => 0), ...back]
}

/**
 * Who a keyless request is counted for: the IPv4 address, however it is written, or the /64 network of an IPv6 address,
 * since one subscriber owns all of it.
 */
export const callerOf = (address: string): string => {
  if (!address.includes(':')) return address
  const groups = groupsOf(address)
  const mapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
  if (mapped)
    return groups
      .slice(6)
      .map((group) => `${group >> 8}.${group & 255}`)
      .join('.')
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')
}
