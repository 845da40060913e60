import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../kernel/clock.ts'
import type { ReadCache } from '../storage/read-cache.ts'
import { DOCUMENT_TYPES } from './negotiation.ts'

/** An answer to everyone who asks for an address in the same way and shows nothing of themselves. */
export interface KeptAnswer {
  /** What it is made of; a change of either makes it stale. */
  readonly dependsOn: { readonly profileId: number; readonly accountId?: string | undefined }
  /** When it becomes stale by itself. */
  readonly until?: Date | undefined
  /** Answers a request. */
  send(request: FastifyRequest, reply: FastifyReply): FastifyReply
}

/**
 * Answers of public documents, kept in memory. They are dropped by the events that drop what they are made of, like
 * everything in a {@link ReadCache}.
 */
export interface KeptAnswers {
  /** Adds a listener. They differ in prefixes and routes, so their answers do. */
  ofListener(): ListenerAnswers
}

interface ListenerAnswers {
  /** The answer that is kept under a key, unless it is stale. */
  find(key: string): KeptAnswer | undefined
  /** Starts a response; the returned function stores it, unless something was invalidated since. */
  begin(key: string): (answer: KeptAnswer) => void
}

export function createKeptAnswers(cache: Pick<ReadCache, 'find' | 'begin'>, clock: Clock): KeptAnswers {
  let listeners = 0
  return {
    ofListener() {
      const listener = `${listeners++} `
      return {
        find(key) {
          const known = cache.find<KeptAnswer>(listener + key)
          return known && (known.until === undefined || known.until > clock()) ? known : undefined
        },
        begin(key) {
          const keep = cache.begin()
          return (answer) => keep(listener + key, { value: answer, ...answer.dependsOn })
        },
      }
    },
  }
}

/**
 * Whether no header may change an answer, beside those that are in its key and those that are read when it is sent. Each
 * is named, because a loop over a list of names takes ten times as long.
 */
const namesNobody = (headers: IncomingHttpHeaders): boolean =>
  headers.authorization === undefined &&
  headers.cookie === undefined &&
  headers['x-api-key'] === undefined &&
  headers['eep-agent-did'] === undefined &&
  headers['eep-signature'] === undefined &&
  headers['eep-nonce'] === undefined &&
  headers['x-eep-agent-did'] === undefined &&
  headers['x-eep-agent-capabilities'] === undefined &&
  headers['x-eep-payer-wallet'] === undefined &&
  headers['x-eep-payer-network'] === undefined &&
  headers['x-eep-proofs'] === undefined &&
  headers['x-eep-gate-proofs'] === undefined &&
  headers['sign-in-with-x'] === undefined &&
  headers['payment-signature'] === undefined &&
  headers['payment-authorization'] === undefined &&
  headers['accept-payment'] === undefined

/** Addresses are as long as clients like; longer ones are not worth their room. */
const MAX_KEY_LENGTH = 512

const showsNothing = ({ method, headers, eep }: FastifyRequest): boolean =>
  method === 'GET' && eep.caller === undefined && eep.unidentified === undefined && namesNobody(headers)

/**
 * Answers requests for public documents with what the last visitor got who asked in the same way, where the route kept it
 * with `request.eep.keep`: no lookup, gate or challenge then. Requests that show something of their visitor always reach the
 * route. Validation and all hooks run before.
 */
export function answerFromKept(app: FastifyInstance, answers: KeptAnswers): void {
  const kept = answers.ofListener()
  app.addHook('onRoute', (route) => {
    const { eep } = route.config ?? {}
    if (route.method !== 'GET' || eep?.auth !== 'none' || eep.produces !== DOCUMENT_TYPES) return
    const { handler } = route
    route.handler = function (request, reply) {
      const key = `${request.headers.accept ?? ''} ${request.url}`
      if (key.length > MAX_KEY_LENGTH || !showsNothing(request)) return handler.call(this, request, reply)
      const known = kept.find(key)
      if (known) {
        known.send(request, reply)
        return
      }
      request.eep.keep = kept.begin(key)
      return handler.call(this, request, reply)
    }
  })
}
