import { isIP } from 'node:net'
import { hostName } from './pinned-request.ts'

/** All addresses of a name; rejects where there are none. */
export type ResolveName = (name: string) => Promise<string[]>

/** Why the addresses of a host are not known. */
export type UnknownHost = 'name' | 'timeout'

/**
 * Asks DNS, and the file of hosts; IPv4 comes first. The system's own look-up is not used: each takes a thread of the few
 * that files are read with too, for as long as a name server is silent, and strangers choose the names.
 */
export const resolveName: ResolveName = async (name) =>
  (await Bun.dns.lookup(name, { backend: 'c-ares' })).sort((a, b) => a.family - b.family).map(({ address }) => address)

/** Settles as `promise` does, or with undefined once `signal` ends it. */
const unlessAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> =>
  new Promise((resolve, reject) => {
    const give = (): void => resolve(undefined)
    if (signal.aborted) give()
    signal.addEventListener('abort', give)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', give))
  })

/** The addresses of a URL's host, at least one; an address stands for itself. Never rejects. */
export const hostAddresses = async (
  url: URL,
  resolve: ResolveName,
  signal: AbortSignal,
): Promise<string[] | UnknownHost> => {
  const name = hostName(url)
  if (isIP(name) !== 0) return [name]
  try {
    const all = await unlessAborted(resolve(name), signal)
    if (!all) return 'timeout'
    return all.length > 0 ? all : 'name'
  } catch {
    return 'name'
  }
}
