import type { TrustedProxies } from '../../common/proxies.ts'

/** How a request was made, as the proxy in front of the server tells it where that may be believed. */
export interface ForwardedRequest {
  /** True where the client speaks TLS. */
  readonly secure: boolean
  /** Host and port that the client asked, in lower case; empty where nothing tells. */
  readonly host: string
}

const isTrusted = (peer: string, proxies: TrustedProxies): boolean =>
  'hops' in proxies ? proxies.hops > 0 : proxies.trusts(peer)

/** A parameter of the first element of Forwarded (RFC 7239), as the proxy wrote it that the client spoke to. */
const forwardedParameter = (headers: Headers, name: string): string | undefined => {
  const element = headers.get('forwarded')?.split(',', 1)[0] ?? ''
  for (const pair of element.split(';')) {
    const [key = '', value = ''] = pair.split('=', 2)
    if (key.trim().toLowerCase() === name) return value.trim().replace(/^"(.*)"$/, '$1')
  }
  return undefined
}

const first = (headers: Headers, name: string): string | undefined => headers.get(name)?.split(',', 1)[0]?.trim()

/**
 * Reads X-Forwarded-Proto and X-Forwarded-Host, or Forwarded, of a trusted proxy, and Host otherwise.
 * @param peer the address of the connection
 */
export const forwardedRequest = (
  { headers, url }: Pick<Request, 'headers' | 'url'>,
  peer: string,
  proxies: TrustedProxies,
): ForwardedRequest => {
  const own = headers.get('host') ?? (URL.canParse(url) ? new URL(url).host : '')
  if (!isTrusted(peer, proxies)) return { secure: false, host: own.toLowerCase() }
  const proto = first(headers, 'x-forwarded-proto') ?? forwardedParameter(headers, 'proto')
  const host = first(headers, 'x-forwarded-host') ?? forwardedParameter(headers, 'host')
  return { secure: proto?.toLowerCase() === 'https', host: (host || own).toLowerCase() }
}
