const mark = Symbol.for('@eep/core/error')

/** A name in the path of a URL, and its replacement after a move. */
export interface Move {
  /** The path before the name. */
  readonly below?: readonly string[] | undefined
  readonly from: string
  readonly to: string
}

/** What an error may carry beside its code: details for programs, headers and body fields for the answer. */
export interface ErrorContext {
  /** Replaces the default sentence. Written for a reader who has the request before them. */
  readonly message?: string | undefined
  /** Facts for programs; appears as `error.details`. */
  readonly details?: unknown
  /** Response headers, for example `Retry-After` or the challenges of a 402. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined
  /** Members beside `error` in the JSON body, for example those of a 402. */
  readonly body?: Readonly<Record<string, unknown>> | undefined
  /** The same as JSON without the braces around them, where it is written already. */
  readonly bodyMembers?: string | undefined
  /** The whole body for clients that ask for `application/problem+json`, where a protocol fixes its form. */
  readonly problem?: Readonly<Record<string, unknown>> | undefined
  /** Where what was asked for is now; the answer leads there. */
  readonly moves?: readonly Move[] | undefined
  readonly cause?: unknown
}

/** A failure the caller can act on. Anything else that is thrown is a fault of ours and answers 500. */
export class EepError extends Error {
  readonly [mark] = true
  override readonly name = 'EepError'
  readonly code: string
  readonly status: number
  /** The same as `status`, under the name that Fastify and its error handlers read. */
  readonly statusCode: number
  readonly details: unknown
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: Readonly<Record<string, unknown>>
  readonly bodyMembers: string | undefined
  readonly problem: Readonly<Record<string, unknown>> | undefined
  readonly moves: readonly Move[]

  constructor(code: string, status: number, message: string, context: ErrorContext = {}) {
    // Expected errors are responses: their stack trace is never read, and capturing it takes longer
    // than making it.
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
  }
}

/** Makes an error of one definition; `code`, `status` and `message` are the definition's own. */
export interface ErrorDefinition {
  (context?: ErrorContext): EepError
  readonly code: string
  readonly status: number
  readonly message: string
}

const definitions: ErrorDefinition[] = []

/**
 * Defines an error once, beside the code that throws it: `throw pageNotFound()`.
 *
 * @param code - a snake_case fact, unique in the service: `page_not_found`
 * @param status - the HTTP status it answers with
 * @param message - one sentence that says what is wrong
 * @see https://github.com/eep-service/eep/blob/main/docs/embed/modules.md
 * @example
 * const soldOut = defineError('sold_out', 409, 'No tickets are left')
 * throw soldOut({ details: { event: 42 } })
 */
export function defineError(code: string, status: number, message: string): ErrorDefinition {
  const make = (context?: ErrorContext) => new EepError(code, status, message, context)
  const definition: ErrorDefinition = Object.assign(make, { code, status, message })
  definitions.push(definition)
  return definition
}

/**
 * Every error defined so far, in the order of definition. The catalogue in `docs/reference/errors.md` is made from it.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/reference/errors.md
 * @example
 * for (const { code, status } of errorDefinitions()) console.log(status, code)
 */
export const errorDefinitions = (): readonly ErrorDefinition[] => definitions

/**
 * Recognises an {@link EepError} also when it comes from a second installed copy of this package.
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
export const forbidden = defineError('forbidden', 403, 'You may not do this')
export const insufficientScope = defineError('insufficient_scope', 403, 'This API key lacks a scope')
export const notFound = defineError('not_found', 404, 'There is nothing here')
export const fileQuotaReached = defineError('file_quota_reached', 409, 'The owner of this profile has no room for it')
export const invalidTransition = defineError('invalid_transition', 409, 'The present state does not allow this')
export const internalError = defineError('internal_error', 500, 'Something went wrong on our side')
