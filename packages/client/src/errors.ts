/** What `EepApiError` carries beside its message. */
export interface ApiErrorFacts {
  /** The error code of the service, such as `page_not_found`; `http_<status>` when the response has no error body. */
  readonly code: string
  /** The HTTP status. */
  readonly status: number
  /** Facts of the error, by name; empty when the response has none. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
  /** Milliseconds after which the service accepts the request again, from `Retry-After`. */
  readonly retryAfterMs?: number | undefined
  readonly response?: Response | undefined
}

/**
 * A response with an error status.
 *
 * @example
 * try {
 *   await client.profiles.get('u/ada')
 * } catch (error) {
 *   if (error instanceof EepApiError && error.status === 404) console.log(error.code)
 * }
 */
export class EepApiError extends Error {
  override readonly name = 'EepApiError'
  readonly code: string
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>
  readonly retryAfterMs: number | undefined
  readonly response: Response | undefined

  constructor(message: string, { code, status, details = {}, retryAfterMs, response }: ApiErrorFacts) {
    super(message)
    this.code = code
    this.status = status
    this.details = details
    this.retryAfterMs = retryAfterMs
    this.response = response
  }
}
