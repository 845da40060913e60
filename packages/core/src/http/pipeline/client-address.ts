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
 * Returns what identifies a client in rate limits: an IPv4 address itself, or the /64 network of an IPv6 address, because a
 * single household usually has a whole /64.
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

/**
 * Returns the client of a request, by address. Without an address, for example on a Unix socket, each connection is a
 * separate client.
 */
export function clientOf({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  if (ip) return networkOf(ip)
  const known = nameless.get(socket) ?? randomUUID()
  nameless.set(socket, known)
  return known
}
