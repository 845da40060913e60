import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The global unicast addresses of IPv6. Everything outside is reserved, and some networks use it inside. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/**
 * Ranges that `ipaddr.js` may classify as ordinary but that can reach private addresses: 6to4 networks and relays.
 */
const INWARD = ['2002::/16', '192.88.99.0/24'].map((cidr) => ipaddr.parseCIDR(cidr))

/**
 * Whether an IP address is public. Private, loopback, link-local, shared, reserved and multicast
 * addresses are not, nor are IPv6 addresses that contain an IPv4 address that is not.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  if (parsed.kind() === 'ipv6' && !parsed.match(GLOBAL_IPV6)) return false
  return !INWARD.some((cidr) => parsed.kind() === cidr[0].kind() && parsed.match(cidr))
}
