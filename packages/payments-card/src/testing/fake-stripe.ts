import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerWith, down, failBefore, failed, type StripeFaultKind, send } from './accidents.ts'
import { createApi } from './fake-api.ts'
import { createBilling, type FakeBilling, type FakeBillingOptions } from './fake-billing.ts'
import { createBooks } from './fake-books.ts'
import { type Delivery, messageOf, type StripeEvent, type StripeMessage } from './fake-message.ts'
import { servePage } from './fake-page.ts'
import type { FakeDispute, FakeIntent, FakeRefund, GrantedToken, TokenRequest } from './fake-records.ts'
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

/** A local server with the API of Stripe, whose state tests can read. */
export interface FakeStripe {
  /** For `apiBase` of the rail. */
  readonly url: string
  readonly secretKey: string
  readonly webhookSecret: string
  readonly profileId: string
  /** Acts as the buyer: creates a shared payment token. Default: for the requested amount. */
  grant(token?: TokenRequest): GrantedToken
  revoke(token: string): void
  /** Payments, oldest first. */
  charges(): readonly FakeIntent[]
  intents(): readonly FakeIntent[]
  /** Refunds, oldest first. */
  refunds(): readonly FakeRefund[]
  /** Makes the next refunds fail, as for a closed card. */
  failRefunds(count: number): void
  /** The amount that was taken in a currency, in its smallest unit. */
  balance(currency?: string): bigint
  /** The calls so far: `POST /v1/payment_intents`. */
  readonly calls: readonly string[]
  /** Makes the next call with this method and path fail. Several failures apply to one call each. */
  failNext(call: RegExp, fault: StripeFaultKind): void
  /** Whether a failure is pending that never responds. */
  isAboutToHang(): boolean
  /** Makes searches return no new objects, as Stripe does for up to an hour during outages. */
  delaySearch(delayed: boolean): void
  /** Deletes all idempotency keys, as Stripe does after a day. */
  forgetKeys(): void
  /** Acts as the customer on a checkout page, who enters `email` if given. Returns the resulting event. */
  completeCheckout(id: string, email?: string): StripeEvent
  expireCheckout(id: string): StripeEvent
  /** Acts as the customers of subscriptions. */
  readonly billing: FakeBilling
  /** Acts as the merchant who refunds at Stripe. Default: the whole amount. Returns the resulting event. */
  refundCharge(intent: string, amount?: number): StripeEvent
  /** Acts as the bank that sends a refund back. Returns the resulting event. */
  returnRefund(id: string): StripeEvent
  /** Makes an event, at a time. Default: now. A dispute in it is the present one of its payment. */
  event(type: string, object: unknown, at?: Date): StripeEvent
  /** A request to a webhook: body and headers. */
  message(event: StripeEvent, delivery?: Delivery): StripeMessage
  stop(): Promise<void>
}

const CREATE = /^POST \/v1\/payment_intents$/

/**
 * Starts a fake Stripe server: tokens, payments, checkout sessions and their pages, idempotency keys, webhook messages and injected failures.
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
  const event: FakeStripe['event'] = (type, object, at = now()) => {
    if (type.startsWith('charge.dispute.')) {
      const dispute = object as FakeDispute
      books.disputes.set(dispute.id, dispute)
    }
    return {
      id: `evt_${randomBytes(12).toString('hex')}`,
      object: 'event',
      type,
      created: Math.floor(at.getTime() / 1000),
      data: { object: structuredClone(object) },
    }
  }
  const said: StripeEvent[] = []
  const say = (type: string, object: unknown) => void said.push(event(type, object))
  const subscriptions = createSubscriptionBooks(books, now, say)
  const pages = () => url
  const api = createApi(books, pages, subscriptionRoutes(subscriptions, pages, now))

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { pathname, search } = new URL(request.url ?? '/', url)
    const body = Buffer.concat(chunks).toString()
    if (servePage(books, { method: request.method ?? '', path: pathname, body }, response)) return
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
    returnRefund: (id) => event('refund.failed', books.returnRefund(id)),
    event,
    message: (sent, delivery) => messageOf(sent, webhookSecret, delivery),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The call that takes money. Pass it to `failNext`. */
export const TAKING = CREATE
