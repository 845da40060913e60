import { type AuthChallenge, assertChallenge, isPrintable, isToken } from './auth-challenge.ts'

const mark = Symbol.for('@eep/core/error')

/** A name in the path of a URL, and the name that replaced it. */
export interface Move {
  /** The path segments that precede the name. */
  readonly below?: readonly string[] | undefined
  readonly from: string
  readonly to: string
}

/** What an error can carry besides its code. These are facts: HTTP writes headers, statuses of pages and bodies from them. */
export interface ErrorContext {
  /** Replaces the default message. */
  readonly message?: string | undefined
  /** Machine-readable details, sent as `error.details`. */
  readonly details?: unknown
  /** After how many milliseconds the same request may succeed. A time in the past counts as one second. */
  readonly retryAfterMs?: number | undefined
  /** What the caller can identify or pay with. Parameters are printable ASCII. */
  readonly challenges?: readonly AuthChallenge[] | undefined
  /**
   * The visibility of the resource that the error is about: caches keep the error as they keep the resource. Default: the error is
   * sent with `no-store`, whatever `Cache-Control` its route set before.
   */
  readonly visibility?: 'public' | 'unlisted' | 'private' | undefined
  /** The bytes of a resource of which a requested range does not exist. */
  readonly size?: number | undefined
  /** The protocol that a connection must change to, and its supported versions. */
  readonly upgrade?: { readonly to: string; readonly versions?: readonly string[] | undefined } | undefined
  /** The envelopes of x402 v2, encoded: the offer of a 402, and what became of a payment. */
  readonly x402?: { readonly required?: string | undefined; readonly response?: string | undefined } | undefined
  /** The headers of "pay per crawl": the price of the resource, and what is wrong with the request. */
  readonly crawler?: { readonly price?: string | undefined; readonly error?: string | undefined } | undefined
  /** What the form of the error states, for errors whose definition has a `form`. */
  readonly terms?: Readonly<Record<string, unknown>> | undefined
  /** Members next to `error` in the JSON body, for example those of a 402. */
  readonly body?: Readonly<Record<string, unknown>> | undefined
  /** The same members as serialized JSON without the enclosing braces. */
  readonly bodyMembers?: string | undefined
  /** The new names of the requested resource. The response redirects there. */
  readonly moves?: readonly Move[] | undefined
  /** The path where the requested resource is now. The response redirects there. */
  readonly movedTo?: string | undefined
  readonly cause?: unknown
}

/** The forms of problem documents that EEP defines. */
export type ProblemForm = 'access_restricted' | 'legally_restricted' | 'payment_required' | 'rate_limited' | 'version'

/** What errors of one kind have in common. */
interface ErrorKind {
  readonly code: string
  readonly status: number
  readonly message: string
  /** Whether the resource existed, and is gone for good. Its page has status 410. */
  readonly isGone?: boolean | undefined
  /** The form that EEP defines for the problem document of the error. */
  readonly form?: ProblemForm | undefined
}

/** @throws TypeError when a fact cannot be sent as a header */
function assertFacts({ retryAfterMs = 0, challenges = [], size = 0, upgrade, x402, crawler }: ErrorContext): void {
  // Comparisons with NaN are false.
  if (!(Math.abs(retryAfterMs) <= Number.MAX_SAFE_INTEGER)) {
    throw new TypeError(`retryAfterMs of an error must be a finite number of milliseconds, not ${retryAfterMs}`)
  }
  if (!Number.isSafeInteger(size) || size < 0) {
    throw new TypeError(`size of an error must be a number of bytes, not ${size}`)
  }
  for (const challenge of challenges) assertChallenge(challenge)
  if (upgrade && ![upgrade.to, ...(upgrade.versions ?? [])].every(isToken)) {
    throw new TypeError('upgrade of an error must name a protocol and versions as tokens of HTTP')
  }
  if (![crawler?.price, crawler?.error].every((text) => text === undefined || isPrintable(text))) {
    throw new TypeError('crawler of an error must be printable ASCII')
  }
  for (const envelope of [x402?.required, x402?.response]) {
    if (envelope !== undefined && !isPrintable(envelope)) {
      throw new TypeError('x402 of an error must be encoded as printable ASCII')
    }
  }
}

/** An error that the caller can act on. Anything else that is thrown is a bug, and the response is 500. */
export class EepError extends Error implements ErrorKind {
  readonly [mark] = true
  override readonly name = 'EepError'
  readonly code: string
  readonly status: number
  /** The same as `status`, under the name that Fastify reads. */
  readonly statusCode: number
  readonly isGone: boolean
  readonly form: ProblemForm | undefined
  readonly details: unknown
  readonly retryAfterMs: number | undefined
  readonly challenges: readonly AuthChallenge[]
  readonly visibility: ErrorContext['visibility']
  readonly size: number | undefined
  readonly upgrade: ErrorContext['upgrade']
  readonly x402: ErrorContext['x402']
  readonly crawler: ErrorContext['crawler']
  readonly terms: ErrorContext['terms']
  readonly body: Readonly<Record<string, unknown>>
  readonly bodyMembers: string | undefined
  readonly moves: readonly Move[]
  readonly movedTo: string | undefined

  /** @throws TypeError when a fact cannot be sent, for example a challenge that is not printable ASCII */
  constructor({ code, status, message, isGone = false, form }: ErrorKind, context: ErrorContext = {}) {
    assertFacts(context)
    super(context.message ?? message, context.cause === undefined ? undefined : { cause: context.cause })
    this.code = code
    this.status = status
    this.statusCode = status
    this.isGone = isGone
    this.form = form
    this.details = context.details
    this.retryAfterMs = context.retryAfterMs
    this.challenges = context.challenges ?? []
    this.visibility = context.visibility
    this.size = context.size
    this.upgrade = context.upgrade
    this.x402 = context.x402
    this.crawler = context.crawler
    this.terms = context.terms
    this.body = context.body ?? {}
    this.bodyMembers = context.bodyMembers
    this.moves = context.moves ?? []
    this.movedTo = context.movedTo
  }
}

/** Creates errors of one definition. */
export interface ErrorDefinition {
  /** @throws TypeError when a fact cannot be sent, for example a challenge that is not printable ASCII */
  (context?: ErrorContext): EepError
  readonly code: string
  readonly status: number
  readonly message: string
  /** Whether the resource existed, and is gone for good. */
  readonly isGone: boolean
  /** Whether the error refuses what the plan of an account does not allow. */
  readonly isPlanLimit: boolean
}

const definitions: ErrorDefinition[] = []

/**
 * Defines an error, next to the code that throws it: `throw pageNotFound()`.
 *
 * @param code - in snake_case, unique in the service: `page_not_found`
 * @param status - the HTTP status of the response
 * @param message - one sentence that states the problem
 * @param options - `planLimit`: the error refuses what the plan of an account does not allow, and is counted in
 *   `eep_plan_limit_refusals_total`. `gone`: the resource existed, and is gone for good; its page has status 410. `form`: EEP
 *   defines the problem document. Default: none of them
 * @throws TypeError when another error with the same code has another status or message
 * @see https://github.com/eep-service/eep/blob/main/docs/embed/modules.md
 * @example
 * const soldOut = defineError('sold_out', 409, 'No tickets are left')
 * throw soldOut({ details: { event: 42 }, retryAfterMs: 60_000 })
 */
export function defineError(
  code: string,
  status: number,
  message: string,
  options: {
    readonly planLimit?: boolean | undefined
    readonly gone?: boolean | undefined
    readonly form?: ProblemForm | undefined
  } = {},
): ErrorDefinition {
  const { planLimit: isPlanLimit = false, gone: isGone = false, form } = options
  const other = definitions.find((each) => each.code === code)
  // A module that is loaded twice defines the same error again.
  if (other && (other.status !== status || other.message !== message)) {
    throw new TypeError(`The error "${code}" is defined already: ${other.status} ${other.message}`)
  }
  const kind: ErrorKind = { code, status, message, isGone, form }
  const make = (context?: ErrorContext) => new EepError(kind, context)
  const definition: ErrorDefinition = Object.assign(make, { code, status, message, isGone, isPlanLimit })
  definitions.push(definition)
  return definition
}

/**
 * Every error defined so far, in the order of definition. `docs/reference/errors.md` is generated from it.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/reference/errors.md
 * @example
 * for (const { code, status } of errorDefinitions()) console.log(status, code)
 */
export const errorDefinitions = (): readonly ErrorDefinition[] => definitions

/**
 * Whether an error is an {@link EepError}, including one from a second installed copy of this package.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/reference/errors.md
 * @example
 * if (isEepError(error)) reply.code(error.status)
 */
export const isEepError = (error: unknown): error is EepError =>
  typeof error === 'object' && error !== null && mark in error

export const validationFailed = defineError('validation_failed', 400, 'The request is not valid')
export const unauthenticated = defineError('unauthenticated', 401, 'Sign in first')
export const invalidApiKey = defineError('invalid_api_key', 401, 'This API key is unknown, revoked or expired')
export const forbidden = defineError('forbidden', 403, 'You do not have permission to do this')
export const sessionRequired = defineError(
  'session_required',
  403,
  'This credential cannot be used for this request; sign in, or use an API key',
)
export const insufficientScope = defineError('insufficient_scope', 403, 'This credential lacks a required scope')
export const notFound = defineError('not_found', 404, 'Not found')
export const fileQuotaReached = defineError(
  'file_quota_reached',
  409,
  'The owner of this profile has reached the file or storage limit of the plan; delete files or change the plan',
  { planLimit: true },
)
export const invalidTransition = defineError('invalid_transition', 409, 'The current state does not allow this')
export const internalError = defineError('internal_error', 500, 'Something went wrong on the server')
