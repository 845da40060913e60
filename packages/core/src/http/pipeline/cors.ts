import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Carrier } from './authenticator.ts'

const EXPOSED = [
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'X-PAYMENT-RESPONSE',
  'Payment-Receipt',
  'crawler-price',
  'crawler-charged',
  'crawler-error',
  'WWW-Authenticate',
  'Link',
  'ETag',
  'Retry-After',
  'Location',
  'Accept-Ranges',
  'Content-Range',
  'Content-Disposition',
  'X-Profile-Username',
  'X-Profile-Type',
  'X-EEP-Gates-Config',
  'X-EEP-Payer-Wallet',
  'X-EEP-Payer-Network',
  'X-EEP-Sandbox',
  'X-EEP-Trust-State',
  'EEP-Version',
  'Idempotent-Replayed',
  'EEP-Entity-DID',
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
].join(', ')

const ALLOWED_HEADERS = [
  'Accept',
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'If-Modified-Since',
  'If-Unmodified-Since',
  'If-Range',
  'Range',
  'Idempotency-Key',
  // Clients that follow streams with `fetch` resume with it.
  'Last-Event-ID',
  'PAYMENT-SIGNATURE',
  'X-PAYMENT',
  'Payment-Authorization',
  'crawler-max-price',
  'crawler-exact-price',
  'SIGN-IN-WITH-X',
  'X-API-Key',
  'X-Active-Profile-Id',
  'X-Request-Id',
  'traceparent',
  'tracestate',
  'X-EEP-Agent-Capabilities',
  'X-EEP-Agent-Type',
  'X-EEP-Agent-DID',
  'X-EEP-Payer-Wallet',
  'X-EEP-Payer-Network',
  'EEP-Agent-DID',
  'EEP-Signature',
  'EEP-Nonce',
  'EEP-Version',
  // Official x402 clients send this response header with their request.
  'Access-Control-Expose-Headers',
].join(', ')

/** The headers with which pages of any origin may read a response without cookies. */
export const READABLE_ANYWHERE = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
} as const

/**
 * Allows any origin to read responses without cookies, and the listed origins to read them with cookies. Requests
 * without `Origin` get the same headers, because a cache may answer a page of another site with their response.
 */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, credentialed: ReadonlySet<string>): void {
  const { origin } = request.headers
  if (origin !== undefined && credentialed.has(origin)) {
    reply.header('access-control-allow-origin', origin).header('access-control-allow-credentials', 'true')
  } else {
    reply.header('access-control-allow-origin', READABLE_ANYWHERE['access-control-allow-origin'])
  }
  reply.header('access-control-expose-headers', EXPOSED)
}

/** Adds `Origin` to `Vary`, once. Needed when some origins get a different response. */
export function varyByOrigin(reply: FastifyReply): void {
  const vary = reply.getHeader('vary')
  if (vary === undefined) reply.header('vary', 'Origin')
  else if (!/(^|, )Origin(,|$)/.test(String(vary))) reply.header('vary', `${vary}, Origin`)
}

/** Answers a preflight request; other requests go on. Allows the headers in which modules read credentials, too. */
export function answerPreflight(carriers: readonly Carrier[]): onRequestHookHandler {
  const allowed = [ALLOWED_HEADERS, ...carriers.flatMap(({ header }) => header ?? [])].join(', ')
  return ({ eep: { preflight }, routeOptions }, reply, done) => {
    if (preflight === undefined) {
      done()
      return
    }
    const methods = preflight.join(', ')
    const { corsHeaders } = routeOptions.config.eep ?? {}
    reply
      .code(204)
      .header('access-control-allow-methods', methods)
      .header('access-control-allow-headers', corsHeaders ? `${allowed}, ${corsHeaders}` : allowed)
      .header('access-control-max-age', corsHeaders ? '7200' : '600')
      .header('allow', methods)
      .send()
  }
}
