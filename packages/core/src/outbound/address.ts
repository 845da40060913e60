import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Ranges that `ipaddr.js` calls ordinary, and that still lead inside: NAT64 networks and the relays of 6to4. */
const INWARD = ['64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '192.88.99.0/24'].map((cidr) => ipaddr.parseCIDR(cidr))

/**
 * Whether an IP address is one of the open internet. Private, loopback, link-local, shared, reserved and multicast
 * addresses are not, nor are IPv6 addresses that carry an IPv4 one which is not.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  return !INWARD.some((cidr) => parsed.kind() === cidr[0].kind() && parsed.match(cidr))
}
