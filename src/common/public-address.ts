import { BlockList, isIP } from 'node:net'

/**
 * Networks that are no part of the public internet, or stand for other addresses (IANA special-purpose registries); and
 * the address at which every virtual machine of Azure finds what its host tells it, which looks like a public one.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** Of IPv6 only this is given out to hosts of the internet. */
const GLOBAL_IPV6 = '2000::/3'
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const listOf = (networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

const specialIpv4 = listOf(SPECIAL_IPV4, 'ipv4')
const globalIpv6 = listOf([GLOBAL_IPV6], 'ipv6')
const specialIpv6 = listOf(SPECIAL_IPV6, 'ipv6')

/**
 * True for the address of a host of the public internet. False for private, loopback, link-local, shared (CGNAT),
 * multicast, unspecified and reserved ones, for IPv6 that stands for IPv4 (mapped, NAT64, 6to4, Teredo), and for what is
 * no address.
 */
export const isPublicAddress = (address: string): boolean => {
  switch (address.includes('%') ? 0 : isIP(address)) {
    case 4:
      return !specialIpv4.check(address, 'ipv4')
    case 6:
      return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6')
  }
  return false
}
