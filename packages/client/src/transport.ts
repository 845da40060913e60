import { EepApiError } from './errors.ts'

/** Adds what identifies the caller to a request, such as a header. It may return another request. */
export type Authenticate = (request: Request) => Request | Promise<Request>

/** How often and how long failed requests are repeated. */
export interface RetryBudget {
  /** Requests of one call, the first one included. Default: 4. */
  readonly attempts?: number | undefined
  /** Milliseconds that one call may wait for repetitions. Default: 30,000. */
  readonly totalMs?: number | undefined
}

export interface TransportOptions {
  readonly authenticate: Authenticate
  readonly fetch: (request: Request) => Promise<Response>
  readonly retry: RetryBudget | false
}

const BASE_DELAY_MS = 500
const MAX_DELAY_MS = 10_000
/** Methods that have the same effect when they are repeated. A `POST` has it with an `Idempotency-Key`. */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])

/** The milliseconds of `Retry-After`: seconds, or a date. Undefined without one. */
function retryAfterOf({ headers }: Pick<Response, 'headers'>, now = Date.now()): number | undefined {
  const value = headers.get('retry-after')
  if (value === null || value.trim() === '') return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/** Waits, and rejects with the reason of a signal that aborts meanwhile. */
export function sleep(ms: number, signal?: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads the body of a response as JSON. Empty for anything else: a proxy responds in its own words. */
async function recordIn(response: Response): Promise<Readonly<Record<string, unknown>>> {
  try {
    const body: unknown = await response.json()
    return isRecord(body) ? body : {}
  } catch {
    return {}
  }
}

/** Makes the error of a response, whose body it reads. */
export async function errorOf(response: Response): Promise<EepApiError> {
  const { status } = response
  const body = await recordIn(response)
  // A problem document (RFC 9457) has its members at the top.
  const { code, message, details } = isRecord(body.error) ? body.error : { ...body, message: body.detail ?? body.title }
  return new EepApiError(typeof message === 'string' ? message : `The service responded with status ${status}`, {
    code: typeof code === 'string' ? code : `http_${status}`,
    status,
    details: isRecord(details) ? details : undefined,
    retryAfterMs: retryAfterOf(response),
    response,
  })
}

/** What decides whether a request may be repeated. */
type Sent = Pick<Request, 'method' | 'headers' | 'credentials'>

/** Whether the service stores the response under the `Idempotency-Key` of a request: forms are left out. */
const takesKey = ({ method, headers }: Sent): boolean =>
  method === 'POST' &&
  !/^(?:multipart\/form-data|application\/x-www-form-urlencoded)/.test(headers.get('content-type') ?? '')

/** Whether a request acts for an account. The service ignores the `Idempotency-Key` of other requests. */
const isOfAccount = ({ headers, credentials }: Sent): boolean =>
  headers.has('authorization') || headers.has('x-api-key') || credentials === 'include'

/** Whether the service may have processed a request more than once without a second effect. */
const isIdempotent = (request: Sent): boolean =>
  IDEMPOTENT.has(request.method) || (request.headers.has('idempotency-key') && isOfAccount(request))

/** Whether a response asks for the same request later. 409 is that of a request whose first attempt is still in progress. */
function asksToRepeat({ status, headers }: Response, request: Sent): boolean {
  if (status === 429) return IDEMPOTENT.has(request.method) || takesKey(request)
  if (!isIdempotent(request)) return false
  return status === 503 || (status === 409 && headers.has('retry-after'))
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const MAX_REDIRECTS = 5

/** Whether a request has a credential that `fetch` repeats at another origin after a redirect. Of `Authorization` and cookies it does not. */
const isFollowedHere = ({ method, headers }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') && (headers.has('x-api-key') || headers.has('eep-signature'))

const redirectError = (response: Response, message: string) =>
  new EepApiError(message, { code: 'redirect_refused', status: response.status, response })

/**
 * Sends an identified request. Redirects of a read with a key or a signature are followed here, identified again, and at the origin of the
 * service alone.
 *
 * @throws EepApiError `redirect_refused` when such a request is redirected to another origin, or too often
 */
async function sendOnce(identified: Request, { authenticate, fetch }: TransportOptions): Promise<Response> {
  if (!isFollowedHere(identified)) return fetch(identified)
  let request = identified
  for (let count = 0; ; count += 1) {
    const response = await fetch(new Request(request, { redirect: 'manual' }))
    const location = response.headers.get('location')
    if (!REDIRECTS.has(response.status) || location === null) return response
    const url = new URL(location, request.url)
    if (url.origin !== new URL(identified.url).origin) {
      throw redirectError(response, `The service redirects to ${url.origin}, which must not get the credential`)
    }
    if (count === MAX_REDIRECTS) throw redirectError(response, `The service redirects more than ${count} times`)
    await response.body?.cancel()
    request = await authenticate(new Request(url, request))
  }
}

/**
 * Creates a function that sends requests: identified, each `POST` with one `Idempotency-Key` for all its attempts. A request is repeated within the
 * budget after 429, 503 and a lost connection, unless a repetition could have a second effect. Other responses are returned unchanged.
 */
export function createTransport(options: TransportOptions): (request: Request) => Promise<Response> {
  const { attempts = 4, totalMs = 30_000 } = options.retry === false ? { attempts: 1 } : options.retry

  return async function send(original) {
    const request = new Request(original)
    if (takesKey(request) && !request.headers.has('idempotency-key'))
      request.headers.set('idempotency-key', crypto.randomUUID())
    let left = totalMs
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= attempts
      const identified = await options.authenticate(isLast ? request : request.clone())
      const { method, headers, credentials } = identified
      const sent = { method, headers, credentials }
      const result = await sendOnce(identified, options).catch((error: unknown) => {
        const isLost = !(error instanceof EepApiError) && !request.signal.aborted
        if (isLast || !isLost || !isIdempotent(sent)) throw error
        return { lost: error }
      })
      const response = result instanceof Response ? result : undefined
      if (response && (isLast || !asksToRepeat(response, sent))) return response
      const backoff = Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
      const waitMs = (response && retryAfterOf(response)) ?? backoff
      // The service asks for more patience than the caller has.
      if (waitMs > left) {
        if ('lost' in result) throw result.lost
        return result
      }
      left -= waitMs
      await response?.body?.cancel()
      await sleep(waitMs, request.signal)
    }
  }
}
