import type { BillingProcessor } from '@eep/core/ports'
import { type BillingMessage, cashBilling, createFakeBilling, type FakeBilling, serviceProbe } from '@eep/core/testing'
import type { LightMyRequestResponse } from 'fastify'
import { signUp } from './accounts.ts'
import { createTestApp, type TestApp, type TestAppOptions } from './app.ts'
import { client } from './client.ts'
import { mergeOptions } from './options.ts'

const WEBHOOK = '/cash/subscription/webhook'

/** A subscription request. */
export interface Wish {
  readonly tier?: string
  readonly currency?: string
}

const DAY_MS = 86_400_000

/**
 * A time that tests move on. It begins now, to the second: the database deletes sessions that have ended by its own clock.
 */
export function createTime() {
  const start = new Date(Math.floor(Date.now() / 1_000) * 1_000)
  let now = start
  return {
    clock: () => now,
    /** The moment so many days after the start. */
    day: (days: number) => new Date(start.getTime() + days * DAY_MS),
    pass(days: number) {
      now = new Date(now.getTime() + days * DAY_MS)
    },
  }
}

/** A subscriber and its requests. */
export async function subscriber(app: TestApp, name?: string) {
  const { headers, account } = await signUp(app, name)
  const start = ({ tier = 'pro', currency = 'usd' }: Wish = {}) =>
    client(app).with(headers).post(`/checkout/start-trial?tier=${tier}&currency=${currency}`)
  return {
    id: account.id,
    headers,
    start,
    /** The page on which they may subscribe. */
    async page(wish?: Wish): Promise<string> {
      const answer = await start(wish)
      if (answer.statusCode !== 200) throw new Error(`no page: ${answer.body}`)
      return answer.json().checkout_id
    },
    get: (checkoutId?: string) =>
      client(app).get(`/account/subscription${checkoutId ? `?checkout_id=${checkoutId}` : ''}`, headers),
    change: (change: { readonly tier?: string; readonly cancel_at_period_end?: boolean }) =>
      client(app).patch('/account/subscription', change, headers),
    portal: () => client(app).post('/account/subscription/portal', undefined, headers),
    invoices: (query = '') => client(app).get(`/account/invoices${query}`, headers),
    cancel: () => client(app).delete('/account/subscription', headers),
    async subscription() {
      return (await client(app).get('/account/subscription', headers)).json().subscription
    },
    async tier(): Promise<string> {
      return (await client(app).get('/auth/me', headers)).json().tier
    },
    leave: (password: string) => client(app).send('DELETE', '/auth/account', { password }, headers),
  }
}

export type Subscriber = Awaited<ReturnType<typeof subscriber>>

/** Sends one message of the billing processor unchanged. */
export const tell = (app: TestApp, { body, headers }: BillingMessage): Promise<LightMyRequestResponse> =>
  client(app).post(WEBHOOK, body, { ...headers, 'content-type': 'application/json' })

/** Sends messages one after another; each has to be taken. */
export async function tellAll(app: TestApp, messages: readonly BillingMessage[]): Promise<void> {
  for (const message of messages) {
    const { statusCode, body } = await tell(app, message)
    if (statusCode !== 200) throw new Error(`a message was not taken: ${statusCode} ${body}`)
  }
}

export interface BillingAppOptions extends TestAppOptions {
  /** Wraps the billing processor that the service calls. */
  readonly through?: (processor: BillingProcessor) => BillingProcessor
}

/** The service with a processor that lives in memory, and its fakeBilling. */
export async function createBillingApp({ through = (one) => one, ...options }: BillingAppOptions = {}) {
  const time = createTime()
  const clock = options.clock ?? time.clock
  const fakeBilling: FakeBilling = createFakeBilling({ clock })
  const probe = serviceProbe()
  const test = await createTestApp(
    mergeOptions(
      { clock, subscriptions: { billing: through(cashBilling({ fakeBilling })) }, modules: [probe.module] },
      options,
    ),
  )
  return {
    ...test,
    time,
    fakeBilling,
    /** One turn of the sweep. */
    sweep: async () => probe.services.subscriptions?.sweep?.run(),
    /** An account with a subscription that the processor has reported. */
    async subscribed(wish?: Wish) {
      const person = await subscriber(test.app)
      const page = await person.page(wish)
      await tellAll(test.app, fakeBilling.buy(page))
      const seat = fakeBilling.ledger.desks.get(page)?.checkout.subscriptionId
      if (!seat) throw new Error('no seat was bought')
      return { ...person, seat }
    },
  }
}
