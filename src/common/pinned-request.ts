import { type ClientRequest, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'

export interface PinnedRequestOptions {
  method: 'GET' | 'POST'
  /** Beside `host`, which follows from the URL. */
  headers: Readonly<Record<string, string>>
  /** Certificates that are trusted in place of the usual ones. */
  ca?: string | undefined
}

/** The name or address of a URL's host, without the brackets of IPv6. */
export const hostName = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/** The port of a URL, also where it is that of its scheme. */
export const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)

/** Provisional answers (status 1xx) that may come before the one that counts; there is no end to them otherwise. */
const MAX_PROVISIONAL = 16

/** Ends a request, as one that failed, whose server does nothing but announce an answer. */
const boundProvisional = (request: ClientRequest): ClientRequest => {
  let left = MAX_PROVISIONAL
  const count = (): void => {
    if (left-- === 0) request.destroy(new Error('too many provisional answers'))
  }
  return request.on('information', count).on('continue', count)
}

/**
 * Opens a request to one address for a URL of http or https. The name is not resolved again: with TLS the certificate is
 * checked against it all the same. Follows no redirect, uses no proxy, sends no cookies and no keys. The caller ends it; it
 * fails by itself after MAX_PROVISIONAL provisional answers.
 * @param address an IP address of the URL's host
 * @throws for what cannot stand in a request, a header say
 */
export const pinnedRequest = (url: URL, address: string, options: PinnedRequestOptions): ClientRequest => {
  const { method, headers, ca } = options
  const name = hostName(url).replace(/\.$/, '')
  const target = {
    method,
    host: address,
    port: portOf(url),
    path: url.pathname + url.search,
    agent: false as const,
    headers: { ...headers, host: url.host },
  }
  if (url.protocol !== 'https:') return boundProvisional(requestHttp(target))
  const identity = { ...(isIP(name) === 0 ? { servername: name } : {}), ...(ca === undefined ? {} : { ca }) }
  return boundProvisional(requestHttps({ ...target, ...identity }))
}

/** Whether a request has failed because of the certificate or the handshake. */
export const isTlsFailure = (error: Error): boolean => {
  const { code = '' } = error as NodeJS.ErrnoException
  return /TLS|SSL|CERT|ISSUER|SIGNATURE|SELF_SIGNED|CRL|CA_/.test(code)
}
