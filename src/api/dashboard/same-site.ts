/**
 * Why a POST is not taken: it comes from a page of another site, or from none. Null where it comes from our own.
 * @param host host and port that the client asked
 */
export const foreignReason = (headers: Headers, host: string): string | null => {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin') return 'it was sent from a page of another site'
  const origin = headers.get('origin')
  if (origin === null) return 'it does not tell which page it was sent from'
  return URL.canParse(origin) && new URL(origin).host === host ? null : 'it was sent from a page of another site'
}
