/** The value of a cookie that was sent; undefined where it was not. */
export const cookieIn = (headers: Headers, name: string): string | undefined => {
  for (const pair of headers.get('cookie')?.split(';') ?? []) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return undefined
}

/**
 * The name of the cookie of a session. Cookies know no ports: each network has its own. Over TLS a prefix keeps other hosts
 * of the domain from setting it.
 */
export const cookieName = (network: string, secure: boolean): string =>
  `${secure ? '__Host-' : ''}tonlith_${network}_session`

/**
 * The `Set-Cookie` header of a session's secret, for this site's own requests alone, out of reach for scripts.
 * @param seconds how long it is kept; 0 takes it away
 */
export const cookieHeader = (name: string, value: string, secure: boolean, seconds: number): string =>
  `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
