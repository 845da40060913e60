import type { FastifyReply, FastifyRequest } from 'fastify'
import { canonicalJson } from '../../kernel/digest.ts'
import { defineError, validationFailed } from '../../kernel/errors.ts'
import { type Caller, credentialOf } from '../../model/caller.ts'
import type { RouteConfig } from '../routes.ts'
import type { KeptAnswer } from './sealed-answer.ts'
import type { IdempotencyService } from './service.ts'

export const idempotencyMismatch = defineError(
  'idempotency_mismatch',
  422,
  'This Idempotency-Key was used for a different request',
)
export const idempotencyInFlight = defineError(
  'idempotency_in_flight',
  409,
  'The request with this Idempotency-Key is still being processed',
)
export const idempotencyAnswerGone = defineError(
  'idempotency_answer_gone',
  409,
  'The request with this Idempotency-Key was processed, but its response is not stored',
)
export const tooManyIdempotencyKeys = defineError(
  'too_many_idempotency_keys',
  429,
  'The account has used too many Idempotency-Keys; repeat the request later, or without a key',
)

const HEADER = 'idempotency-key'
const KEY = /^[\x21-\x7e]{1,255}$/
const RETRY_MS = 1_000

/** The headers that are replayed with status and body. The others only apply to the original response. */
const KEPT_HEADERS = ['content-type', 'cache-control', 'etag', 'last-modified', 'link', 'location', 'set-cookie']

/**
 * Whether a route supports `Idempotency-Key`. Forms are streamed, so they cannot be compared with an earlier request. A route that only
 * reads returns what exists now, to those who may read it now.
 */
export const takesIdempotencyKey = (method: string, { auth, form, readsOnly }: RouteConfig): boolean =>
  method === 'POST' && auth !== 'none' && !form && !readsOnly

/** Whether a request has an `Idempotency-Key`; its raw body is then kept for the fingerprint. */
export const hasIdempotencyKey = (request: FastifyRequest): boolean => request.headers[HEADER] !== undefined

function parseKey(header: string): string {
  if (KEY.test(header)) return header
  const message = 'Must be 1 to 255 visible ASCII characters'
  throw validationFailed({
    message: `headers/${HEADER}: ${message}`,
    details: { in: 'headers', issues: [{ path: `/${HEADER}`, code: 'invalid_format', message }] },
  })
}

/**
 * What a repeated request is compared by. It includes the credential, and the agent that signed the request, because agents that share a
 * key do not reach the same resources.
 */
function contentOf({ headers, originalUrl, eep }: FastifyRequest, caller: Caller): string {
  const agent = eep.agent?.verified ? eep.agent.did : null
  const target = originalUrl.slice(eep.basePath.length)
  return canonicalJson([credentialOf(caller), agent, target, headers['x-active-profile-id'], eep.sentBody ?? ''])
}

/**
 * Processes a POST request of a signed-in caller once per `Idempotency-Key`, and replays the stored response to repeated requests.
 *
 * @throws `idempotency_mismatch`, `idempotency_in_flight`, `idempotency_answer_gone`, `too_many_idempotency_keys`
 */
export async function beginAttempt(service: IdempotencyService, request: FastifyRequest, reply: FastifyReply) {
  const header = request.headers[HEADER]
  const { caller } = request.eep
  // Keys belong to accounts. A signed request of an agent without one is accepted once, because of its nonce.
  if (header === undefined || !caller) return undefined
  const { url = '' } = request.routeOptions
  const begun = await service.begin({
    accountId: caller.account.id,
    route: `${request.method} ${url.slice(request.eep.basePath.length)}`,
    key: parseKey(String(header)),
    content: contentOf(request, caller),
  })
  if (begun.outcome === 'mismatch') throw idempotencyMismatch()
  if (begun.outcome === 'in_flight') throw idempotencyInFlight({ retryAfterMs: RETRY_MS })
  if (begun.outcome === 'too_many_keys') {
    throw tooManyIdempotencyKeys({ retryAfterMs: begun.retryAfterMs })
  }
  if (begun.outcome === 'answer_gone') throw idempotencyAnswerGone({ details: { ...begun.facts } })
  if (begun.outcome === 'answered') return sendAgain(reply, begun.answer)
  request.eep.attempt = begun.attempt
  return undefined
}

/** Sends a stored response again. */
export function sendAgain(reply: FastifyReply, { status, headers, body }: KeptAnswer): FastifyReply {
  reply.code(status).headers({ ...headers, 'idempotent-replayed': 'true' })
  return reply.send(body === '' ? undefined : body)
}

const answerOf = (reply: FastifyReply, body: string): KeptAnswer => {
  const named = KEPT_HEADERS.map((name) => [name, reply.getHeader(name)] as const)
  const headers = Object.fromEntries(
    named.filter((each): each is [string, string | string[]] => each[1] !== undefined && typeof each[1] !== 'number'),
  )
  return { status: reply.statusCode, headers, body }
}

/** Stores the response to a request with an `Idempotency-Key`, before it is compressed. Errors are not stored. */
export async function endAttempt(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<void> {
  const { attempt } = request.eep
  if (!attempt) return
  request.eep.attempt = undefined
  try {
    const sent = payload ?? ''
    // The body of a stream or of bytes is not stored.
    const isText = typeof sent === 'string'
    const answer = answerOf(reply, isText ? sent : '')
    await (reply.statusCode < 400 ? attempt.finish(answer, isText) : attempt.abandon())
  } catch (error) {
    // The change is committed, so the client gets its response.
    request.log.warn({ err: error }, 'the response to an Idempotency-Key was not stored')
  }
}
