import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { clientOf, networkOf } from './client-address.ts'

describe('networkOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ])('maps address %s to network %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})

it('treats each connection without an address as a separate client', () => {
  const [one, other] = [new Socket(), new Socket()]
  // The type of Fastify does not say that a closed connection has no address.
  const of = (socket: Socket) => clientOf({ ip: undefined as unknown as string, socket })
  expect(of(one)).toBe(of(one))
  expect(of(one)).not.toBe(of(other))
})
