import { BlockList, isIP } from 'node:net'

/** Whose word about a client's address is believed: so many proxies in front of the server, or those of some networks. */
export type TrustedProxies =
  | { readonly hops: number }
  | {
      /** As they were written. */
      readonly networks: readonly string[]
      trusts(address: string): boolean
    }

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6')

/**
 * Proxies by their networks: `10.0.0.0/8`, or one address. Undefined when one of them is no network.
 * @param networks each with or without `/BITS`
 */
export const proxiesOf = (networks: readonly string[]): TrustedProxies | undefined => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits, ...more] = network.split('/')
    const most = isIP(address) === 4 ? 32 : 128
    const length = bits === undefined ? most : Number(bits)
    const valid = isIP(address) !== 0 && !address.includes('%') && more.length === 0
    if (!valid || (bits !== undefined && !/^\d{1,3}$/.test(bits)) || length > most) return undefined
    list.addSubnet(address, length, familyOf(address))
  }
  return { networks, trusts: (address) => isIP(address) !== 0 && list.check(address, familyOf(address)) }
}

/** Nobody's word. */
export const NO_PROXIES: TrustedProxies = { hops: 0 }
