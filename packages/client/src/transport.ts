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
/** The service is busy, or the caller is too fast. */
const REPEATABLE: ReadonlySet<number> = new Set([429, 503])
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

interface ErrorBody {
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly details?: unknown }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Makes the error of a response, whose body it reads. */
export async function errorOf(response: Response): Promise<EepApiError> {
  const { status } = response
  const text = await response.text().catch(() => '')
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    // A proxy answers in its own words.
  }
  const { error } = (isRecord(body) ? body : {}) as ErrorBody
  // A problem document (RFC 9457) has its members at the top.
  const { code, message, details } = isRecord(error)
    ? error
    : ({
        ...(isRecord(body) ? body : {}),
        message: isRecord(body) ? (body.detail ?? body.title) : undefined,
      } as Readonly<Record<string, unknown>>)
  return new EepApiError(typeof message === 'string' ? message : `The service responded with status ${status}`, {
    code: typeof code === 'string' ? code : `http_${status}`,
    status,
    details: isRecord(details) ? details : undefined,
    retryAfterMs: retryAfterOf(response),
    response,
  })
}

/** Whether a failed request may be sent again without a second effect. */
const isRepeatable = ({ method, headers }: Request): boolean => IDEMPOTENT.has(method) || headers.has('idempotency-key')

/** Whether the service stores the answer to a request under its `Idempotency-Key`: forms are left out. */
const takesKey = ({ method, headers }: Request): boolean =>
  method === 'POST' &&
  !/^(?:multipart\/form-data|application\/x-www-form-urlencoded)/.test(headers.get('content-type') ?? '')

/**
 * Creates a function that sends requests: identified, each `POST` with one `Idempotency-Key` for all its attempts, and repeated after 429 and 503
 * within the budget. A request that broke before its response is repeated too when that has no second effect. Responses of other statuses are
 * returned as they are.
 */
export function createTransport({
  authenticate,
  fetch,
  retry,
}: TransportOptions): (request: Request) => Promise<Response> {
  const { attempts = 4, totalMs = 30_000 } = retry === false ? { attempts: 1 } : retry

  return async function send(original) {
    const request = new Request(original)
    if (takesKey(request) && !request.headers.has('idempotency-key'))
      request.headers.set('idempotency-key', crypto.randomUUID())
    const mayRepeat = isRepeatable(request)
    let left = totalMs
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= attempts || !mayRepeat
      let response: Response | undefined
      try {
        response = await fetch(await authenticate(isLast ? request : request.clone()))
        if (isLast || !REPEATABLE.has(response.status)) return response
      } catch (error) {
        if (isLast || request.signal.aborted) throw error
      }
      const backoff = Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
      const waitMs = (response && retryAfterOf(response)) ?? backoff
      // The service asks for more patience than the caller has.
      if (waitMs > left) return response ?? fetch(await authenticate(request))
      left -= waitMs
      await response?.body?.cancel()
      await sleep(waitMs, request.signal)
    }
  }
}
