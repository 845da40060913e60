import { setTimeout as sleep } from 'node:timers/promises'
import { readExtensionResponses } from './extension-responses.ts'
import type {
  ExtensionResponses,
  Facilitator,
  SettleResponse,
  SupportedResponse,
  VerifyResponse,
} from './facilitator.ts'

type Call = 'supported' | 'verify' | 'settle'

type Headers = Readonly<Record<string, string>>

/** Options of {@link remoteFacilitator}. */
export interface RemoteFacilitatorOptions {
  /** Its base URL, without `/verify` or `/settle`. */
  readonly url: string
  /** The timeout of a response with its body, in milliseconds. Default: 15,000. */
  readonly timeoutMs?: number | undefined
  /** Headers of each request, for example `Authorization`. A function is called before each request. */
  readonly headers?: Headers | ((call: Call) => Headers | Promise<Headers>) | undefined
}

/** The maximum size of a response. */
const maxAnswerBytes = 65_536

/**
 * Settles payments through a remote facilitator over HTTP. A response below 500 with a well-formed body is a result,
 * whatever the status. A busy facilitator is asked once more at the time of its `Retry-After`, if that is before the timeout. A redirect, a server error, any other response and a timeout reject.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/stablecoins.md
 * @example
 * const facilitator = remoteFacilitator({ url: 'https://facilitator.example.com' })
 * const rail = x402Rail({ network: 'base', payTo, facilitator })
 */
export function remoteFacilitator({ url, timeoutMs = 15_000, headers = {} }: RemoteFacilitatorOptions): Facilitator {
  const base = parseBase(url)
  const listeners: ((responses: ExtensionResponses) => void)[] = []

  /** The report of a facilitator about extensions changes nothing about the payment. */
  function notify({ headers: received }: Response): void {
    const responses = listeners.length > 0 ? readExtensionResponses(received.get('extension-responses')) : undefined
    if (responses) for (const listen of listeners) listen(responses)
  }

  async function send(name: Call, message: object | undefined, signal: AbortSignal): Promise<Response> {
    return fetch(`${base}/${name}`, {
      method: message ? 'POST' : 'GET',
      headers: {
        accept: 'application/json',
        ...(message ? { 'content-type': 'application/json' } : {}),
        ...(typeof headers === 'function' ? await headers(name) : headers),
      },
      body: message ? JSON.stringify(message) : null,
      redirect: 'manual',
      signal,
    })
  }

  async function call<T>(name: Call, isAnswer: (body: unknown) => body is T, message?: object): Promise<T> {
    const signal = AbortSignal.timeout(timeoutMs)
    const endsAt = Date.now() + timeoutMs
    let answer = await send(name, message, signal)
    const waitMs = waitOf(name, answer)
    if (waitMs !== undefined && Date.now() + waitMs < endsAt) {
      await answer.body?.cancel()
      await sleep(waitMs, undefined, { signal })
      answer = await send(name, message, signal)
    }
    const body = await readJson(answer)
    const isWord = answer.status >= 200 && answer.status < 500 && (answer.status < 300 || answer.status >= 400)
    if (!isWord || !isAnswer(body))
      throw new Error(`x402: the facilitator responded to ${name} with ${answer.status} and no result`)
    notify(answer)
    return body
  }

  return {
    url: base,
    verify: (paymentPayload, paymentRequirements) =>
      call('verify', isVerifyResponse, { x402Version: 2, paymentPayload, paymentRequirements }),
    settle: (paymentPayload, paymentRequirements) =>
      call('settle', isSettleResponse, { x402Version: 2, paymentPayload, paymentRequirements }),
    getSupported: () => call('supported', isSupportedResponse),
    onExtensionResponses: (listen) => void listeners.push(listen),
  }
}

/**
 * How long a facilitator asks to wait, in seconds or as a date, before the same request may be sent again. A settlement is repeated only
 * if it was not begun: a second one of a used authorization would fail.
 */
function waitOf(name: Call, { status, headers }: Response): number | undefined {
  if (status !== 429 && (status !== 503 || name === 'settle')) return undefined
  const value = headers.get('retry-after') ?? ''
  const waitMs = /^\d{1,6}$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now()
  return waitMs > 0 ? waitMs : undefined
}

function parseBase(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw new Error('x402: the URL of the facilitator is not an http or https URL')
  return parsed.href.replace(/\/+$/, '')
}

async function readJson(answer: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength
    // Leaving the loop cancels the rest of the body.
    if (bytes > maxAnswerBytes) return undefined
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isVerifyResponse = (body: unknown): body is VerifyResponse => isRecord(body) && typeof body.isValid === 'boolean'

const isSettleResponse = (body: unknown): body is SettleResponse => isRecord(body) && typeof body.success === 'boolean'

const isSupportedResponse = (body: unknown): body is SupportedResponse =>
  isRecord(body) && Array.isArray(body.kinds) && body.kinds.every(isRecord)
