import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Ranges that `ipaddr.js` classifies as ordinary but that can reach private addresses: IPv4-compatible addresses, NAT64
 * networks and 6to4 relays.
 */
const INWARD = ['::/96', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '192.88.99.0/24'].map((cidr) =>
  ipaddr.parseCIDR(cidr),
)

/**
 * Whether an IP address is public. Private, loopback, link-local, shared, reserved and multicast
 * addresses are not, nor are IPv6 addresses that contain an IPv4 address that is not.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  return !INWARD.some((cidr) => parsed.kind() === cidr[0].kind() && parsed.match(cidr))
}
