import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Stripe } from 'stripe'
import { createApi } from './fake-api.ts'
import { createBooks, type FakeIntent, type GrantedToken, type TokenRequest } from './fake-books.ts'
import { type Answer, createIdempotency } from './idempotency.ts'
import { isStripeFault } from './stripe-error.ts'

/** What goes wrong in one call. Those that end in `_after` happen when the call was carried out. */
export type StripeFaultKind =
  | 'hang_before'
  | 'hang_after'
  | 'reset_before'
  | 'reset_after'
  /** The answer is a 500; a repeat with the same key gets what really came of it. */
  | 'error_before'
  | 'error_after'
  /** The answer is a 500, and it is what the key remembers. */
  | 'stored_error_after'
  /** The same for a call that was not carried out. */
  | 'stored_error_before'
  | 'rate_limit'
  | 'conflict'
  | 'redirect_before'
  | 'redirect_after'
  | 'wrong_amount_after'
  | 'wrong_currency_after'
  | 'no_json_after'
  | 'twice_after'
  | 'slow_after'
  | 'bad_key'

export interface StripeEvent {
  readonly id: string
  readonly object: 'event'
  readonly type: string
  readonly created: number
  readonly data: { readonly object: unknown }
}

/** How a message differs from one that Stripe would send. */
export interface Delivery {
  /** Seconds since 1970. */
  readonly timestamp?: number | undefined
  readonly secret?: string | undefined
  /** Sent as it is instead of a signature; null sends none. */
  readonly signature?: string | null | undefined
}

export interface FakeStripeOptions {
  readonly now?: (() => Date) | undefined
  /** How long a slow call takes, in milliseconds. Default: 300. */
  readonly slowMs?: number | undefined
}

/** Stripe's API on this machine, with its books open. */
export interface FakeStripe {
  /** For `apiBase` of the rail. */
  readonly url: string
  readonly secretKey: string
  readonly webhookSecret: string
  readonly profileId: string
  /** Plays the buyer: a shared payment token, for as much as is asked unless told. */
  grant(token?: TokenRequest): GrantedToken
  revoke(token: string): void
  /** Money that was taken, oldest first. */
  charges(): readonly FakeIntent[]
  intents(): readonly FakeIntent[]
  /** What was taken so far in a currency, in its smallest unit. */
  balance(currency?: string): bigint
  /** The calls so far: `POST /v1/payment_intents`. */
  readonly calls: readonly string[]
  /** Lets the next call go wrong whose method and path fit; of several, one call each. */
  failNext(call: RegExp, fault: StripeFaultKind): void
  /** From now on searches find nothing new, as they do for up to an hour in the worst of times. */
  delaySearch(delayed: boolean): void
  /** Forgets idempotency keys, as Stripe does after a day. */
  forgetKeys(): void
  /** Plays the person on the page of a checkout; the event that follows from it. */
  completeCheckout(id: string): StripeEvent
  expireCheckout(id: string): StripeEvent
  event(type: string, object: unknown): StripeEvent
  /** What is posted to a webhook: the body and its headers. */
  message(event: StripeEvent, delivery?: Delivery): { readonly body: string; readonly headers: Record<string, string> }
  stop(): Promise<void>
}

const CREATE = /^POST \/v1\/payment_intents$/

/** Starts a Stripe whose cards are worth nothing: tokens, payments, pages, keys, messages, and accidents on order. */
export async function startFakeStripe({
  now = () => new Date(),
  slowMs = 300,
}: FakeStripeOptions = {}): Promise<FakeStripe> {
  const books = createBooks(now)
  const idempotency = createIdempotency()
  const calls: string[] = []
  const faults: { readonly call: RegExp; readonly fault: StripeFaultKind }[] = []
  const secretKey = `sk_test_${randomBytes(12).toString('hex')}`
  const webhookSecret = `whsec_${randomBytes(16).toString('hex')}`
  let url = ''
  let isSearchDelayed = false
  const api = createApi(books, () => url)
  const tools = new Stripe(secretKey)

  function send(response: ServerResponse, { status, body }: Answer, headers: Record<string, string> = {}) {
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_fake', ...headers })
    response.end(JSON.stringify(body, null, 2))
  }

  const failed = (status: number, error: Record<string, unknown>): Answer => ({ status, body: { error } })
  const down = failed(500, { type: 'api_error', message: 'An unknown error occurred' })

  /** The accidents of a call that never gets anywhere. */
  function failBefore(fault: StripeFaultKind | undefined, response: ServerResponse): boolean {
    if (fault === 'hang_before') return true
    if (fault === 'reset_before') response.destroy()
    else if (fault === 'error_before') send(response, down)
    else if (fault === 'redirect_before') response.writeHead(302, { location: `${url}/elsewhere` }).end()
    else if (fault === 'rate_limit') send(response, failed(429, { type: 'api_error', code: 'rate_limit' }))
    else if (fault === 'bad_key')
      send(response, failed(401, { type: 'invalid_request_error', message: 'Invalid API Key' }))
    else if (fault === 'conflict') send(response, failed(409, { type: 'api_error', code: 'lock_timeout' }))
    else return false
    return true
  }

  /** The accidents of a call that was carried out. */
  async function answerWith(
    fault: StripeFaultKind | undefined,
    response: ServerResponse,
    answer: Answer,
    replayed: boolean,
  ) {
    const headers: Record<string, string> = replayed ? { 'idempotent-replayed': 'true' } : {}
    if (fault === 'hang_after') return
    if (fault === 'reset_after') return response.destroy()
    if (fault === 'error_after' || fault === 'stored_error_after') return send(response, down)
    if (fault === 'redirect_after') return response.writeHead(302, { location: `${url}/elsewhere` }).end()
    if (fault === 'no_json_after') return response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>OK</h1>')
    if (fault === 'slow_after') await sleep(slowMs)
    const body = answer.body as object
    if (fault === 'wrong_amount_after')
      return send(response, { ...answer, body: { ...body, amount: 1, amount_received: 1 } })
    if (fault === 'wrong_currency_after') return send(response, { ...answer, body: { ...body, currency: 'jpy' } })
    send(response, answer, headers)
    if (fault === 'twice_after') response.socket?.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')
  }

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { pathname, search } = new URL(request.url ?? '/', url)
    const call = `${request.method} ${pathname}`
    calls.push(call)
    const index = faults.findIndex((one) => one.call.test(call))
    const fault = index < 0 ? undefined : faults.splice(index, 1)[0]?.fault
    if (failBefore(fault, response)) return
    const header = (name: string) => [request.headers[name]].flat()[0]
    const authorization = header('authorization') ?? ''
    const key = authorization.startsWith('Basic ')
      ? Buffer.from(authorization.slice(6), 'base64').toString().replace(/:$/, '')
      : authorization.replace(/^Bearer /, '')
    if (!/^sk_test_\w+$/.test(key))
      return send(response, failed(401, { type: 'invalid_request_error', message: 'Invalid API Key' }))
    const body = Buffer.concat(chunks).toString()
    const wanted = {
      method: request.method ?? '',
      path: pathname,
      query: search,
      body,
      version: header('stripe-version'),
    }
    try {
      const work = async (): Promise<Answer> => {
        if (isSearchDelayed && pathname.endsWith('/search'))
          return { status: 200, body: { object: 'search_result', data: [], has_more: false } }
        if (fault === 'stored_error_before') return down
        const made = api(wanted)
        return fault === 'stored_error_after' ? down : { status: 200, body: made }
      }
      const idempotencyKey = request.method === 'POST' ? header('idempotency-key') : undefined
      const answer = await idempotency.once(idempotencyKey, `${call} ${body}`, work)
      await answerWith(fault, response, answer, answer.replayed)
    } catch (error) {
      if (!isStripeFault(error)) throw error
      await answerWith(fault, response, failed(error.status, { ...error.error }), false)
    }
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const event: FakeStripe['event'] = (type, object) => ({
    id: `evt_${randomBytes(12).toString('hex')}`,
    object: 'event',
    type,
    created: Math.floor(now().getTime() / 1000),
    data: { object: structuredClone(object) },
  })
  const charges = () => [...books.intents.values()].filter(({ status }) => status === 'succeeded')

  return {
    url,
    secretKey,
    webhookSecret,
    profileId: 'profile_test_seller',
    calls,
    grant: books.grant,
    revoke: (token) => void Object.assign(books.getToken(token), { revoked: true }),
    charges,
    intents: () => [...books.intents.values()],
    balance: (currency = 'usd') =>
      charges()
        .filter((intent) => intent.currency === currency)
        .reduce((sum, { amount_received: received }) => sum + BigInt(received), 0n),
    failNext: (call, fault) => void faults.push({ call, fault }),
    delaySearch(delayed) {
      isSearchDelayed = delayed
    },
    forgetKeys: idempotency.forget,
    completeCheckout: (id) => event('checkout.session.completed', books.completeSession(id)),
    expireCheckout: (id) => event('checkout.session.expired', books.expireSession(id)),
    event,
    message(sent, { timestamp, secret = webhookSecret, signature } = {}) {
      const payload = JSON.stringify(sent, null, 2)
      const signed =
        signature === undefined
          ? tools.webhooks.generateTestHeaderString({
              payload,
              secret,
              ...(timestamp === undefined ? {} : { timestamp }),
            })
          : signature
      const headers = { 'content-type': 'application/json; charset=utf-8' }
      return { body: payload, headers: signed === null ? headers : { ...headers, 'stripe-signature': signed } }
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The call that takes money, for `failNext`. */
export const TAKING = CREATE
