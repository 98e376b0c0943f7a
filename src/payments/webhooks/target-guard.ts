import { hostAddresses, type ResolveName, resolveName } from '../../common/host-addresses.ts'
import { isLoopback } from '../../common/loopback.ts'
import { hostName, portOf } from '../../common/pinned-request.ts'
import { isPublicAddress } from '../../common/public-address.ts'
import type { KeyNetwork } from '../../model/api-key.ts'

export interface TargetGuardOptions {
  network: KeyNetwork
  /** Names and addresses of hosts that may be asked wherever they are, in lower case. */
  allowHosts: readonly string[]
  resolve?: ResolveName
}

/** Why a host is not asked. */
export type TargetFault = 'name' | 'timeout' | 'blocked'

/**
 * Gives the addresses of a URL's host that may be connected to: the name is resolved here, once, and whoever connects takes
 * what this gives. Never rejects.
 */
export type TargetGuard = (url: URL, signal: AbortSignal) => Promise<string[] | TargetFault>

/** Addresses of one host that are tried. */
const MAX_ADDRESSES = 2
/** Below this only the ports of the web are asked: behind the others stand those who read mail, and the like. */
const FIRST_FREE_PORT = 1024

const isWebPort = (port: number): boolean => port === 80 || port === 443 || port >= FIRST_FREE_PORT

/** Makes the guard that keeps webhooks from being sent into the operator's own network. */
export const createTargetGuard = ({ network, allowHosts, resolve = resolveName }: TargetGuardOptions): TargetGuard => {
  const allows = (address: string, port: number): boolean =>
    (network === 'dev' && isLoopback(address)) || (isWebPort(port) && isPublicAddress(address))

  return async (url, signal) => {
    const all = await hostAddresses(url, resolve, signal)
    if (typeof all === 'string') return all
    const isAllowed = allowHosts.includes(hostName(url).replace(/\.$/, ''))
    const allowed = isAllowed ? all : all.filter((address) => allows(address, portOf(url)))
    return allowed.length > 0 ? allowed.slice(0, MAX_ADDRESSES) : 'blocked'
  }
}
