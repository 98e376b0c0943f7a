import { NO_PROXIES, proxiesOf, type TrustedProxies } from '../common/proxies.ts'
import type { Kind } from './kinds.ts'

const MAX_HOPS = 16

/** Which proxies are believed about a client's address: `off`, how many stand in front, or their networks with commas. */
export const trustedProxies: Kind<TrustedProxies> = {
  form: 'off|N|NETWORKS',
  parse(text) {
    if (text === 'off') return NO_PROXIES
    const hops = /^\d{1,2}$/.test(text) ? Number(text) : undefined
    const proxies = hops === undefined ? proxiesOf(text.split(',').map((network) => network.trim())) : { hops }
    if (proxies === undefined || (hops !== undefined && hops > MAX_HOPS))
      throw new Error(
        `off, a number of proxies up to ${MAX_HOPS}, or networks such as 10.0.0.0/8,::1 with commas between`,
      )
    return proxies
  },
}
