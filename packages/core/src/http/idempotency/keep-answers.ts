import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { canonicalJson, sha256 } from '../../kernel/digest.ts'
import { defineError, validationFailed } from '../../kernel/errors.ts'
import { callerOf } from '../request-context.ts'
import type { RouteConfig } from '../routes.ts'
import type { KeptAnswer } from './sealed-answer.ts'
import type { IdempotencyService } from './service.ts'

export const idempotencyMismatch = defineError(
  'idempotency_mismatch',
  422,
  'This Idempotency-Key belongs to another request',
)
export const idempotencyInFlight = defineError(
  'idempotency_in_flight',
  409,
  'The request with this Idempotency-Key is still being carried out',
)
export const idempotencyAnswerGone = defineError(
  'idempotency_answer_gone',
  409,
  'The request with this Idempotency-Key was carried out; its answer is not kept',
)

const HEADER = 'idempotency-key'
const KEY = /^[\x21-\x7e]{1,255}$/
const RETRY_SECONDS = '1'

/** What of an answer is given again with its status and body; the rest is about the moment. */
const KEPT_HEADERS = ['content-type', 'cache-control', 'etag', 'last-modified', 'link', 'location', 'set-cookie']

/** Whether a route carries a request out once where the client names it. A form is read as it comes, and compared to none. */
export const takesIdempotencyKey = (method: string, { auth, form }: RouteConfig): boolean =>
  method === 'POST' && auth !== 'none' && !form

/** Whether a request is named, so that its body is kept as it was sent. */
export const hasIdempotencyKey = (request: FastifyRequest): boolean => request.headers[HEADER] !== undefined

function keyOf(header: string): string {
  if (KEY.test(header)) return header
  const message = 'Needs 1 to 255 visible ASCII characters'
  throw validationFailed({
    message: `headers/${HEADER}: ${message}`,
    details: { in: 'headers', issues: [{ path: `/${HEADER}`, code: 'invalid_format', message }] },
  })
}

/**
 * What makes two requests the same one. A key that may do less must not be shown what another one was answered, so the
 * credential counts; a session is as good as the next.
 */
function fingerprintOf(request: FastifyRequest): string {
  const { headers, originalUrl, eep } = request
  const { via, keyId } = callerOf(request)
  const who = via === 'key' ? keyId : 'session'
  const target = originalUrl.slice(eep.basePath.length)
  return sha256(canonicalJson([who, target, headers['x-active-profile-id'], sha256(eep.sentBody ?? '')]))
}

async function begin(service: IdempotencyService, request: FastifyRequest, reply: FastifyReply) {
  const header = request.headers[HEADER]
  if (header === undefined) return undefined
  const { url = '' } = request.routeOptions
  const begun = await service.begin({
    accountId: callerOf(request).account.id,
    route: `${request.method} ${url.slice(request.eep.basePath.length)}`,
    key: keyOf(String(header)),
    fingerprint: fingerprintOf(request),
  })
  if (begun.outcome === 'mismatch') throw idempotencyMismatch()
  if (begun.outcome === 'in_flight') throw idempotencyInFlight({ headers: { 'retry-after': RETRY_SECONDS } })
  if (begun.outcome === 'answer_gone') throw idempotencyAnswerGone()
  if (begun.outcome === 'answered') return sendAgain(reply, begun.answer)
  request.eep.attempt = begun.attempt
  return undefined
}

function sendAgain(reply: FastifyReply, { status, headers, body }: KeptAnswer): FastifyReply {
  reply.code(status).headers({ ...headers, 'idempotent-replayed': 'true' })
  return reply.send(body === '' ? undefined : body)
}

const answerOf = (reply: FastifyReply, payload: unknown): KeptAnswer | undefined => {
  if (payload !== undefined && payload !== null && typeof payload !== 'string') return undefined
  const named = KEPT_HEADERS.map((name) => [name, reply.getHeader(name)] as const)
  const headers = Object.fromEntries(
    named.filter((each): each is [string, string | string[]] => each[1] !== undefined && typeof each[1] !== 'number'),
  )
  return { status: reply.statusCode, headers, body: payload ?? '' }
}

async function end(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const { attempt } = request.eep
  if (!attempt) return
  request.eep.attempt = undefined
  try {
    await (reply.statusCode < 400 ? attempt.finish(answerOf(reply, payload)) : attempt.abandon())
  } catch (error) {
    // The change is stored; the client learns so.
    request.log.warn({ err: error }, 'the answer to an Idempotency-Key is not kept')
  }
}

/**
 * Lets each POST of signed-in callers be carried out once: an `Idempotency-Key` that comes again gets the answer it
 * got. Refusals keep nothing. Other routes get no hook.
 */
export function keepAnswers(app: FastifyInstance, service: IdempotencyService): void {
  app.addHook('onRoute', (route) => {
    const { eep } = route.config ?? {}
    if (!eep || ![route.method].flat().some((method) => takesIdempotencyKey(method, eep))) return
    route.preHandler = [(request, reply) => begin(service, request, reply), ...[route.preHandler ?? []].flat()]
    // In front, so that it sees the answer before it is compressed.
    route.onSend = [(request, reply, payload) => end(request, reply, payload), ...[route.onSend ?? []].flat()]
  })
}
