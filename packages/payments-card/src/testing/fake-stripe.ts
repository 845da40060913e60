import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerWith, down, failBefore, failed, type StripeFaultKind, send } from './accidents.ts'
import { createApi } from './fake-api.ts'
import { createBilling, type FakeBilling, type FakeBillingOptions } from './fake-billing.ts'
import { createBooks } from './fake-books.ts'
import { type Delivery, messageOf, type StripeEvent, type StripeMessage } from './fake-message.ts'
import type { FakeIntent, FakeRefund, GrantedToken, TokenRequest } from './fake-records.ts'
import { subscriptionRoutes } from './fake-subscription-api.ts'
import { createSubscriptionBooks } from './fake-subscription-books.ts'
import { type Answer, createIdempotency } from './idempotency.ts'
import { isStripeFault } from './stripe-error.ts'

/** Options of {@link startFakeStripe}. */
export interface FakeStripeOptions extends FakeBillingOptions {
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
  /** Money that went back, oldest first. */
  refunds(): readonly FakeRefund[]
  /** Lets the next refunds fail that are asked for, as with a card that was closed. */
  failRefunds(count: number): void
  /** What was taken so far in a currency, in its smallest unit. */
  balance(currency?: string): bigint
  /** The calls so far: `POST /v1/payment_intents`. */
  readonly calls: readonly string[]
  /** Lets the next call go wrong whose method and path fit; of several, one call each. */
  failNext(call: RegExp, fault: StripeFaultKind): void
  /** Whether a call is to go wrong that is never answered. */
  isAboutToHang(): boolean
  /** From now on searches find nothing new, as they do for up to an hour in the worst of times. */
  delaySearch(delayed: boolean): void
  /** Forgets idempotency keys, as Stripe does after a day. */
  forgetKeys(): void
  /** Plays the person on the page of a checkout, who enters `email` if given; the event that follows from it. */
  completeCheckout(id: string, email?: string): StripeEvent
  expireCheckout(id: string): StripeEvent
  /** Subscriptions: plays whoever pays them, or does not. */
  readonly billing: FakeBilling
  /** Plays the merchant who gives money back at Stripe, all of it unless told; the event that follows from it. */
  refundCharge(intent: string, amount?: number): StripeEvent
  event(type: string, object: unknown): StripeEvent
  /** What is posted to a webhook: the body and its headers. */
  message(event: StripeEvent, delivery?: Delivery): StripeMessage
  stop(): Promise<void>
}

const CREATE = /^POST \/v1\/payment_intents$/

/**
 * Starts a Stripe whose cards are worth nothing: tokens, payments, pages, keys, messages, and accidents on order.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/cards.md
 * @example
 * const stripe = await startFakeStripe()
 * const rail = cardRail({ secretKey: 'sk_test_1', apiBase: stripe.url, profileId: stripe.profileId, secret })
 */
export async function startFakeStripe({
  now = () => new Date(),
  slowMs = 300,
  ...billingOptions
}: FakeStripeOptions = {}): Promise<FakeStripe> {
  const books = createBooks(now)
  const idempotency = createIdempotency()
  const calls: string[] = []
  const faults: { readonly call: RegExp; readonly fault: StripeFaultKind }[] = []
  const secretKey = `sk_test_${randomBytes(12).toString('hex')}`
  const webhookSecret = `whsec_${randomBytes(16).toString('hex')}`
  let url = ''
  let isSearchDelayed = false
  const event: FakeStripe['event'] = (type, object) => ({
    id: `evt_${randomBytes(12).toString('hex')}`,
    object: 'event',
    type,
    created: Math.floor(now().getTime() / 1000),
    data: { object: structuredClone(object) },
  })
  const said: StripeEvent[] = []
  const say = (type: string, object: unknown) => void said.push(event(type, object))
  const subscriptions = createSubscriptionBooks(books, now, say)
  const pages = () => url
  const api = createApi(books, pages, subscriptionRoutes(subscriptions, pages, now))

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
      await answerWith(fault, response, answer, answer.replayed, slowMs)
    } catch (error) {
      if (!isStripeFault(error)) throw error
      await answerWith(fault, response, failed(error.status, { ...error.error }), false, slowMs)
    }
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const billing = createBilling(books, subscriptions, said, say, now, billingOptions)
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
    refunds: () => books.refunds,
    failRefunds: books.failRefunds,
    intents: () => [...books.intents.values()],
    balance: (currency = 'usd') =>
      charges()
        .filter((intent) => intent.currency === currency)
        .reduce((sum, { amount_received: received }) => sum + BigInt(received), 0n),
    failNext: (call, fault) => void faults.push({ call, fault }),
    isAboutToHang: () => faults.some(({ fault }) => fault === 'hang_before' || fault === 'hang_after'),
    delaySearch(delayed) {
      isSearchDelayed = delayed
    },
    forgetKeys: idempotency.forget,
    completeCheckout: (id, email) => {
      if (books.getSession(id).mode === 'subscription') return billing.buy(id).at(-1) as StripeEvent
      return event('checkout.session.completed', books.completeSession(id, email))
    },
    expireCheckout: (id) => event('checkout.session.expired', books.expireSession(id)),
    billing,
    refundCharge(intent, amount) {
      const { payment_intent } = books.refundIntent(intent, amount)
      return event('charge.refunded', { id: `ch_${intent}`, object: 'charge', payment_intent })
    },
    event,
    message: (sent, delivery) => messageOf(sent, webhookSecret, delivery),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The call that takes money, for `failNext`. */
export const TAKING = CREATE
