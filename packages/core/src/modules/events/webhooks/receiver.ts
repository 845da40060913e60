import { randomBytes } from 'node:crypto'
import { isEepError } from '../../../kernel/errors.ts'
import type { GuardedFetch } from '../../../runtime/outbound/index.ts'
import type { DeliveryRequest } from './delivery-request.ts'

const MAX_ANSWER_BYTES = 65_536

/** The response of a receiver. */
export interface ReceiverAnswer {
  readonly isReceived: boolean
  /** Null when there was no response. */
  readonly statusCode: number | null
  readonly responseTimeMs: number
  /** A short reason for a failure; null when a response was received. */
  readonly error: string | null
  /** The header `Retry-After` of a 429 or 503; null without one. */
  readonly retryAfter: string | null
}

/** What the log of attempts keeps of the header. */
const MAX_RETRY_AFTER = 64
const ASK_TO_WAIT: readonly number[] = [429, 503]

function retryAfterOf(status: number, value: string | readonly string[] | undefined): string | null {
  const first = typeof value === 'string' ? value : value?.[0]
  return ASK_TO_WAIT.includes(status) && first !== undefined ? first.slice(0, MAX_RETRY_AFTER) : null
}

/** Calls the receivers of webhooks, through the `fetch` that refuses private addresses. */
export function createReceiverClient({
  fetch,
  timeoutMs,
}: {
  readonly fetch: GuardedFetch
  readonly timeoutMs: number
}) {
  return {
    /** Posts a delivery. Returns every failure as a result, and throws only when `signal` is aborted. */
    async post(url: string, request: DeliveryRequest, signal: AbortSignal): Promise<ReceiverAnswer> {
      const start = performance.now()
      const elapsed = () => Math.round(performance.now() - start)
      try {
        const { body, headers, traceparent } = request
        const sent = { method: 'POST', headers, body, traceparent } as const
        const options = { ...sent, timeoutMs, signal, maxBytes: MAX_ANSWER_BYTES }
        const { status, headers: answered } = await fetch(url, { ...options, longAnswer: 'cut' })
        const isReceived = status >= 200 && status < 300
        return {
          isReceived,
          statusCode: status,
          responseTimeMs: elapsed(),
          error: isReceived ? null : `http_${status}`,
          retryAfter: retryAfterOf(status, answered['retry-after']),
        }
      } catch (error) {
        signal.throwIfAborted()
        return {
          isReceived: false,
          statusCode: null,
          responseTimeMs: elapsed(),
          error: reasonOf(error),
          retryAfter: null,
        }
      }
    },

    /**
     * Asks a receiver to confirm a subscription to a topic: it must respond with 200 and repeat the challenge. Returns the reason
     * of a refusal, or undefined when the receiver confirms.
     *
     * @throws `address_refused` when the address is not allowed
     */
    async refusal(url: string, topic: string, leaseSeconds: number, signal?: AbortSignal): Promise<string | undefined> {
      const challenge = randomBytes(16).toString('hex')
      const address = new URL(url)
      address.searchParams.append('hub.mode', 'subscribe')
      address.searchParams.append('hub.topic', topic)
      address.searchParams.append('hub.challenge', challenge)
      address.searchParams.append('hub.lease_seconds', String(leaseSeconds))
      try {
        const answer = await fetch(address, { timeoutMs, maxBytes: MAX_ANSWER_BYTES, signal })
        if (answer.status !== 200) return `The receiver answered ${answer.status} to the intent check, not 200`
        return answer.body.toString('utf8') === challenge
          ? undefined
          : 'The receiver did not return hub.challenge as the complete body of the intent check'
      } catch (error) {
        if (isEepError(error) && error.code === 'address_refused') throw error
        signal?.throwIfAborted()
        return `The intent check failed: ${reasonOf(error)}`
      }
    },
  }
}

export type ReceiverClient = ReturnType<typeof createReceiverClient>

const REASONS: Readonly<Record<string, string>> = {
  TimeoutError: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
}

/** Maps a failure to a fixed reason, because error messages of libraries may contain internal addresses. */
function reasonOf(error: unknown): string {
  if (isEepError(error) && error.code === 'address_refused') return 'address_refused'
  const { name, code } = ((error as Error).cause ?? error) as { readonly name?: string; readonly code?: string }
  return REASONS[String(code)] ?? REASONS[String(name)] ?? 'no_answer'
}
