import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether an IP address leads to this machine alone. */
export const isLoopback = (address: string): boolean => loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4')

/** The same of an address or the name `localhost`, as a setting has it; any other name may lead elsewhere. */
export const isLoopbackHost = (host: string): boolean =>
  isIP(host) === 0 ? host.toLowerCase() === 'localhost' : isLoopback(host)
