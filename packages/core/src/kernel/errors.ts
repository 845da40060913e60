const mark = Symbol.for('@eep/core/error')

/** A name in the path of a URL, and the name that replaced it. */
export interface Move {
  /** The path segments that precede the name. */
  readonly below?: readonly string[] | undefined
  readonly from: string
  readonly to: string
}

/** What an error can carry besides its code: details for programs, and headers and body members of the response. */
export interface ErrorContext {
  /** Replaces the default message. */
  readonly message?: string | undefined
  /** Machine-readable details, sent as `error.details`. */
  readonly details?: unknown
  /** Response headers, for example `Retry-After` or the challenges of a 402. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined
  /** Members next to `error` in the JSON body, for example those of a 402. */
  readonly body?: Readonly<Record<string, unknown>> | undefined
  /** The same members as serialized JSON without the enclosing braces. */
  readonly bodyMembers?: string | undefined
  /** The complete `application/problem+json` body, for protocols that define one. */
  readonly problem?: Readonly<Record<string, unknown>> | undefined
  /** The new names of the requested resource. The response redirects there. */
  readonly moves?: readonly Move[] | undefined
  readonly cause?: unknown
}

/** An error that the caller can act on. Anything else that is thrown is a bug, and the response is 500. */
export class EepError extends Error {
  readonly [mark] = true
  override readonly name = 'EepError'
  readonly code: string
  readonly status: number
  /** The same as `status`, under the name that Fastify reads. */
  readonly statusCode: number
  readonly details: unknown
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: Readonly<Record<string, unknown>>
  readonly bodyMembers: string | undefined
  readonly problem: Readonly<Record<string, unknown>> | undefined
  readonly moves: readonly Move[]
  /** The status of the HTML page for people. */
  readonly pageStatus: number

  constructor(code: string, status: number, message: string, context: ErrorContext = {}, pageStatus = status) {
    // Expected errors become responses and their stack traces are never read. Capturing one costs more than the error
    // itself.
    const frames = Error.stackTraceLimit
    if (status < 500) Error.stackTraceLimit = 0
    super(context.message ?? message, context.cause === undefined ? undefined : { cause: context.cause })
    Error.stackTraceLimit = frames
    this.code = code
    this.status = status
    this.statusCode = status
    this.details = context.details
    this.headers = context.headers ?? {}
    this.body = context.body ?? {}
    this.bodyMembers = context.bodyMembers
    this.problem = context.problem
    this.moves = context.moves ?? []
    this.pageStatus = pageStatus
  }
}

/** Creates errors of one definition. */
export interface ErrorDefinition {
  (context?: ErrorContext): EepError
  readonly code: string
  readonly status: number
  readonly message: string
  /** The status of the HTML page for people. */
  readonly pageStatus: number
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
 *   `eep_plan_limit_refusals_total`. Default: false. `pageStatus`: the status of the HTML page for people. Default: `status`
 * @see https://github.com/eep-service/eep/blob/main/docs/embed/modules.md
 * @example
 * const soldOut = defineError('sold_out', 409, 'No tickets are left')
 * throw soldOut({ details: { event: 42 } })
 */
export function defineError(
  code: string,
  status: number,
  message: string,
  options: { readonly planLimit?: boolean | undefined; readonly pageStatus?: number | undefined } = {},
): ErrorDefinition {
  const { planLimit: isPlanLimit = false, pageStatus = status } = options
  const make = (context?: ErrorContext) => new EepError(code, status, message, context, pageStatus)
  const definition: ErrorDefinition = Object.assign(make, { code, status, message, pageStatus, isPlanLimit })
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
export const insufficientScope = defineError('insufficient_scope', 403, 'This API key lacks a required scope')
export const notFound = defineError('not_found', 404, 'Not found')
export const fileQuotaReached = defineError(
  'file_quota_reached',
  409,
  'The owner of this profile has reached the file or storage limit of the plan; delete files or change the plan',
  { planLimit: true },
)
export const invalidTransition = defineError('invalid_transition', 409, 'The current state does not allow this')
export const internalError = defineError('internal_error', 500, 'Something went wrong on the server')
