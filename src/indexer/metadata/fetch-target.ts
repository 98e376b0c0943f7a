/** Where a document is asked for. */
export interface FetchTarget {
  url: URL
  /** The operator's own gateway: it may stand anywhere. */
  own: boolean
}

const MAX_LENGTH = 2048
const IPFS = /^ipfs:\/\/(?:ipfs\/)?([0-9a-z]{1,128})(\/[^?#]*)?(?:[?#]|$)/i
/** Separators in a code, which a gateway may read as ones. */
const CODED_SEPARATOR = /%2f|%5c/i

const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`)

/** True for a URL below the gateway's path. */
const isOfGateway = (url: URL, gateway: URL): boolean =>
  url.origin === gateway.origin &&
  url.pathname.startsWith(withSlash(gateway.pathname)) &&
  !CODED_SEPARATOR.test(url.pathname)

const webTarget = (url: URL): FetchTarget | undefined => {
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb && url.username === '' && url.password === '' && url.hostname !== '' ? { url, own: false } : undefined
}

const gatewayTarget = (cid: string, path: string, gateway: URL): FetchTarget | undefined => {
  const url = new URL(gateway.href)
  const root = withSlash(gateway.pathname) + cid
  url.pathname = root + path
  const isInside = isOfGateway(url, gateway) && withSlash(url.pathname).startsWith(`${root}/`)
  return isInside ? { url, own: true } : undefined
}

/**
 * Where the document of a URI is asked for: itself for http and https, the gateway for `ipfs://CID/path`. Undefined for
 * other schemes, credentials, and what is too long or no URI.
 * @param gateway the URL that a CID is appended to: `https://ipfs.io/ipfs`
 */
export const targetOf = (uri: string, gateway: URL): FetchTarget | undefined => {
  if (uri.length > MAX_LENGTH) return undefined
  const ipfs = IPFS.exec(uri)
  if (ipfs) return gatewayTarget(ipfs[1]!, ipfs[2] ?? '', gateway)
  return URL.canParse(uri) ? webTarget(new URL(uri)) : undefined
}

/** Where a redirect leads. */
export const redirectTarget = (from: FetchTarget, location: string, gateway: URL): FetchTarget | undefined => {
  if (location.length > MAX_LENGTH || !URL.canParse(location, from.url.href)) return undefined
  const target = webTarget(new URL(location, from.url.href))
  return target && { ...target, own: from.own && isOfGateway(target.url, gateway) }
}
