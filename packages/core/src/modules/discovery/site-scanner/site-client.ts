import { setTimeout as sleep } from 'node:timers/promises'
import { isEepError } from '../../../kernel/errors.ts'
import { parseRetryAfter } from '../../../kernel/retry-after.ts'
import { createSemaphore } from '../../../kernel/semaphore.ts'
import { addressRefused, type GuardedFetch } from '../../../runtime/outbound/index.ts'
import { ACCEPTED_ENCODINGS, decodeBody } from './decode-body.ts'
import { SCANNER_AGENT, type ScanLimits } from './scan-limits.ts'
import type { NoAnswer, SiteAnswer, SiteResponse } from './site.ts'

export interface SiteClientOptions {
  readonly fetch: GuardedFetch
  readonly limits: ScanLimits
  /** The site: requests to other hosts, also by redirects, are refused. */
  readonly origin: string
  /** Whether `robots.txt` allows a URL. */
  readonly isAllowed: (url: URL) => boolean
  /** Sent with each request, after the name of the scanner. */
  readonly userAgent: string
  /** Ends the scan: its time limit, or its job. */
  readonly signal: AbortSignal
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

const isBusy = (status: number) => status === 429 || status === 503

/** What a request has besides its address. With a body it is a POST. */
interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

const failed = (reason: string): NoAnswer => ({ is: 'failed', reason })

/**
 * Sends the requests of one scan, within its limits. Each request reserves its share before it starts, so that
 * concurrent requests cannot exceed them together.
 */
export function createSiteClient({ fetch, limits, origin, isAllowed, userAgent, signal }: SiteClientOptions) {
  const turns = createSemaphore(limits.concurrency)
  const sent = new Map<string, Promise<SiteResponse>>()
  const endsAt = performance.now() + limits.timeoutMs
  let requestsLeft = limits.maxRequests
  let bytesLeft = limits.maxBytes

  async function request(url: URL, { headers, body }: Sent): Promise<SiteResponse | URL> {
    if (url.origin !== origin) return failed(`The request leads to another host, ${url.origin}.`)
    if (!isAllowed(url))
      return { is: 'disallowed', reason: `robots.txt does not allow ${SCANNER_AGENT} ${url.pathname}.` }
    if (requestsLeft === 0) return failed(`The scan used all of its ${limits.maxRequests} requests.`)
    if (bytesLeft === 0) return failed(`The scan reads ${limits.maxBytes} bytes in all, which other responses take.`)
    requestsLeft -= 1
    const reserved = Math.min(limits.maxResponseBytes, bytesLeft)
    bytesLeft -= reserved
    let used = 0
    const startedAt = performance.now()
    try {
      const answer = await fetch(url, {
        headers: { 'accept-encoding': ACCEPTED_ENCODINGS, ...headers, 'user-agent': userAgent },
        ...(body !== undefined && { method: 'POST', body }),
        maxBytes: reserved,
        longAnswer: 'cut',
        timeoutMs: limits.timeoutMs,
        signal,
        onRead: (bytes) => {
          used = Math.min(reserved, used + bytes)
        },
      })
      const elapsedMs = performance.now() - startedAt
      const values = new Map(
        Object.entries(answer.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
      )
      const decoded = await decodeBody(answer.body, values.get('content-encoding'), reserved)
      used = Math.min(reserved, Math.max(used, decoded?.body.length ?? 0))
      const location = values.get('location')
      if (REDIRECTS.has(answer.status) && location !== undefined && URL.canParse(location, url.href)) {
        return new URL(location, url.href)
      }
      if (!decoded) return failed('The response is not encoded as declared in Content-Encoding.')
      const announced = Number(values.get('content-length') ?? 0)
      const done: SiteAnswer = {
        is: 'answer',
        url: url.href,
        status: answer.status,
        headers: values,
        body: decoded.body.toString('utf8'),
        bytes: Math.max(answer.body.length, announced || 0),
        isCut: decoded.isCut || announced > answer.body.length || answer.body.length >= reserved,
        elapsedMs,
      }
      return done
    } catch (error) {
      if (isEepError(error) && error.code === addressRefused.code) return failed(`${error.message}.`)
      if (!isEepError(error) && !signal.aborted) throw error
      return failed(
        signal.aborted
          ? `The scan ended after ${limits.timeoutMs / 1_000} s, before this response.`
          : 'The connection failed, or the response could not be read.',
      )
    } finally {
      bytesLeft += reserved - used
    }
  }

  /** Sends a request once more at the time that a busy site asks for, if the scan has not ended by then. */
  async function requestPatiently(url: URL, given: Sent): Promise<SiteResponse | URL> {
    const result = await request(url, given)
    if (result instanceof URL || result.is !== 'answer' || !isBusy(result.status)) return result
    const now = new Date()
    const askedAt = parseRetryAfter(result.headers.get('retry-after'), now)
    const waitMs = askedAt && askedAt.getTime() - now.getTime()
    if (waitMs === undefined || requestsLeft === 0 || performance.now() + waitMs >= endsAt) return result
    await sleep(waitMs, undefined, { signal })
    return request(url, given)
  }

  async function follow(first: URL, given: Sent): Promise<SiteResponse> {
    let url = first
    for (let hops = 0; hops <= limits.maxRedirects; hops += 1) {
      const result = await requestPatiently(url, given)
      if (!(result instanceof URL)) return result
      url = result
    }
    return failed(`There are more than ${limits.maxRedirects} redirects.`)
  }

  function send(address: string, given: Sent): Promise<SiteResponse> {
    if (!URL.canParse(address, origin)) return Promise.resolve(failed('This is not a URL.'))
    const url = new URL(address, origin)
    url.hash = ''
    const key = JSON.stringify([url.href, given.body, ...Object.entries(given.headers).sort()])
    const known = sent.get(key)
    if (known) return known
    const response = turns
      .run(signal, () => follow(url, given))
      .catch((error: unknown) => {
        if (!signal.aborted) throw error
        return failed(`The scan ended after ${limits.timeoutMs / 1_000} s, before this request.`)
      })
    sent.set(key, response)
    return response
  }

  return {
    /** Requests a path or URL of the site. Equal requests are sent once. Never rejects, except for bugs. */
    get: (address: string, headers: Readonly<Record<string, string>> = {}) => send(address, { headers }),
    /** Sends JSON to a path or URL of the site. Equal requests are sent once. Never rejects, except for bugs. */
    post: (address: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
      send(address, { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }),
  }
}
