/**
 * Where path and query begin in a request's URL. The server leaves the origin out of it when the Host header is missing or
 * is no host.
 */
const targetStart = (url: string): number => (url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2))

/** Characters of path and query. */
export const targetLength = (url: string): number => url.length - targetStart(url)

/** The path of a request's URL, as it was sent. */
export const pathOf = (url: string): string => {
  const end = url.indexOf('?')
  return url.slice(targetStart(url), end < 0 ? undefined : end)
}

/** The path of a request's URL without repeated slashes at its begin and without one at its end. */
export const cleanPath = (path: string): string => path.replace(/^\/+/, '/').replace(/(.)\/$/, '$1')
