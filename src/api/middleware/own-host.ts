import { isIP } from 'node:net'

const nameIn = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')

/**
 * Whether a request was sent to this server under a name that no stranger can own: an IP address, `localhost` and names below it, a
 * name without dots, or `ownName`. A page whose own name was made to lead here (DNS rebinding) sends that name, and
 * would pass for one of ours. Without a Host header it is no browser.
 * @param host the Host header
 * @param ownName host of the address that is listened on
 */
export const isOwnHost = (host: string | null, ownName: string): boolean => {
  if (host === null || host === '') return true
  const name = nameIn(host)
  return isIP(name) !== 0 || !name.includes('.') || name.endsWith('.localhost') || name === nameIn(ownName)
}
