import type { FastifyReply, FastifyRequest } from 'fastify'
import { canonicalJson } from '../../kernel/digest.ts'
import { defineError, type EepError } from '../../kernel/errors.ts'
import { idempotencyInFlight, sendAgain, tooManyIdempotencyKeys } from './replay-responses.ts'
import type { IdempotencyService } from './service.ts'

export { idempotencyInFlight } from './replay-responses.ts'

export const formAlreadySent = defineError(
  'form_already_sent',
  409,
  'This form was already sent; reload its page to send another one',
)

/** The name of the hidden input with the id of a form. */
export const FORM_ID = 'form_id'

/** Begins the names of the inputs with which a form proves that the person owns the account. */
export const PROOF = 'proof_'

const ID = /^[\w-]{16,64}$/
const RETRY_MS = 1_000

function formIdOf({ body }: FastifyRequest): string | undefined {
  const id = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[FORM_ID] : undefined
  return typeof id === 'string' && ID.test(id) ? id : undefined
}

/** Whether an input contains a password, a code or another proof of the person: no page shows it again, and no digest of it is stored. */
export const isSecretInput = (name: string): boolean =>
  name.startsWith(PROOF) || name === 'code' || /(?:^|_)password$/.test(name)

const withoutSecrets = (body: unknown) =>
  Object.fromEntries(Object.entries(body as Record<string, string>).filter(([name]) => !isSecretInput(name)))

/**
 * Processes a form of a signed-in caller once per `form_id`, and replays the redirect to repeated ones. A form that was refused may be sent
 * again with other values.
 *
 * @throws `form_already_sent`, `idempotency_in_flight`, `too_many_idempotency_keys`
 */
export async function beginForm(service: IdempotencyService, request: FastifyRequest, reply: FastifyReply) {
  const { caller, basePath } = request.eep
  const key = formIdOf(request)
  if (!caller || key === undefined) return undefined
  const { url = '' } = request.routeOptions
  const [path = ''] = request.url.split('?', 1)
  const begun = await service.begin({
    accountId: caller.account.id,
    route: `${request.method} ${url.slice(basePath.length)}`,
    key,
    content: canonicalJson([path.slice(basePath.length), withoutSecrets(request.body)]),
  })
  switch (begun.outcome) {
    case 'started':
      request.eep.attempt = begun.attempt
      return undefined
    case 'answered':
      return sendAgain(reply, begun.answer)
    case 'in_flight':
      return refuse(request, idempotencyInFlight({ retryAfterMs: RETRY_MS }))
    case 'mismatch': {
      if (!begun.isAnswered) return refuse(request, idempotencyInFlight({ retryAfterMs: RETRY_MS }))
      const location = begun.facts?.location
      return refuse(request, formAlreadySent({ details: location === undefined ? {} : { location } }))
    }
    case 'too_many_keys':
      return refuse(request, tooManyIdempotencyKeys({ retryAfterMs: begun.retryAfterMs }))
    case 'answer_gone': {
      const { status, location } = begun.facts ?? {}
      if (status === 303 && location !== undefined) return sendAgain(reply, { status, headers: { location }, body: '' })
      // It was processed, and what it was answered with is not stored, because it was secret.
      return refuse(request, formAlreadySent())
    }
  }
}

/** Leaves a refusal to the handler of a form that keeps what was entered. */
function refuse(request: FastifyRequest, error: EepError): undefined {
  if (!request.eep.route.keepsForm) throw error
  request.eep.limited ??= error
}
