import type { onSendHookHandler } from 'fastify'
import { type Carrier, headerOf } from './authenticator.ts'

/**
 * Keeps responses apart that may depend on a credential of a module: `Vary` names the headers of its carriers on every response, and no
 * cache stores the response to a request that has such a credential, also when it is refused.
 */
export function keepApart(carriers: readonly Carrier[]): onSendHookHandler {
  const names = [...new Set(carriers.map(headerOf))]
  return (request, reply, _payload, done) => {
    const known = [reply.getHeader('vary') ?? []].flat().join(', ')
    const has = new Set(known.toLowerCase().split(/, */))
    const missing = names.filter((name) => !has.has(name.toLowerCase()))
    if (missing.length > 0) reply.header('vary', [...(known === '' ? [] : [known]), ...missing].join(', '))
    if (request.eep?.identified.isOfModule) reply.header('cache-control', 'private, no-store')
    done()
  }
}
