import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { connect, type LookupFunction } from 'node:net'
import tls from 'node:tls'

type Resolved = readonly string[]

/**
 * Replaces the resolver and the internet for one name: `resolveTo` sets the address of the name, and connections to any of its
 * addresses arrive, without TLS, at a server on this machine. Connections elsewhere are not changed. Create the service after it.
 */
export function createMovingName(name: string, port: number) {
  const { lookup } = dns
  const { connect: connectTls } = tls
  const reached: string[] = []
  let addresses: Resolved = []

  const lookUp = (hostname: string, options: dns.LookupOptions, done: Parameters<LookupFunction>[2]) =>
    hostname === name
      ? done(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        )
      : lookup(hostname, options as dns.LookupAllOptions, done)
  const connectThere = (options: tls.ConnectionOptions & { readonly lookup: LookupFunction }) => {
    if (options.host !== name) return connectTls(options)
    const socket = connect({
      port,
      host: name,
      autoSelectFamily: false,
      lookup: (hostname, given, done) =>
        options.lookup(hostname, given, (error, found) => {
          if (error) return done(error, '')
          const address = typeof found === 'string' ? found : (found[0]?.address ?? '')
          reached.push(address)
          return done(null, '127.0.0.1', 4)
        }),
    })
    socket.once('connect', () => socket.emit('secureConnect'))
    return socket
  }
  Object.assign(dns, { lookup: lookUp })
  Object.assign(tls, { connect: connectThere })
  syncBuiltinESMExports()

  return {
    /** The addresses that were connected to. */
    reached,
    resolveTo(next: Resolved) {
      addresses = next
    },
    restore() {
      Object.assign(dns, { lookup })
      Object.assign(tls, { connect: connectTls })
      syncBuiltinESMExports()
    },
  }
}
