import { randomUUID } from 'node:crypto'
import { isIPv6, type Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** The 16-bit groups of one side of `::`; an IPv4 tail counts as two. */
const groupsOf = (text: string): string[] =>
  text === ''
    ? []
    : text
        .split(':')
        .flatMap((group) => (group.includes('.') ? ['v4', 'v4'] : [Number.parseInt(group, 16).toString(16)]))

/**
 * Whom an address stands for: an IPv4 address itself, an IPv6 address the network of 64 bits it lies in, because a single
 * household has as many addresses as such a network holds.
 *
 * @internal
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const mapped = MAPPED_IPV4.exec(address)?.[1]
  if (mapped) return mapped
  const plain = address.split('%')[0] ?? address
  if (!isIPv6(plain)) return address
  const [before = '', after] = plain.split('::')
  const head = groupsOf(before)
  const tail = after === undefined ? [] : groupsOf(after)
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`
}

const nameless = new WeakMap<Socket, string>()

/** The client of a request, by address; without one, for example on a Unix socket, each connection is another client. */
export function clientOf({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  if (ip) return networkOf(ip)
  const known = nameless.get(socket) ?? randomUUID()
  nameless.set(socket, known)
  return known
}
