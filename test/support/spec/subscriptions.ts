import type { BillingMessage } from '@eep/core/testing'
import { expect } from 'vitest'
import { client } from '../client.ts'
import { fakeBilling, fixture, get, newUser, onBare, post, put, remove } from './fixture.ts'
import { prepaidPlans } from './paid-years.ts'
import { codeIs, count, is, moment, type Row, row, text } from './row.ts'

const START = '/checkout/start-trial?tier=pro&currency=usd'
const WEBHOOK = '/stripe/subscription/webhook'
const SETTINGS = '/admin/settings/subscription-pricing'

const say = ({ body, headers }: BillingMessage, on = fixture.app) => client(on).post(WEBHOOK, body, { ...headers })

/** An account with a subscription. */
async function subscribed() {
  const { headers } = await newUser()
  const { checkout_id } = (await post(START, headers)).json()
  const messages = fakeBilling.buy(checkout_id)
  for (const message of messages) await say(message)
  return { headers, messages }
}

const prices = { price_usd_monthly_cents: count, price_eur_monthly_cents: count, price_usdc_yearly_cents: count }
const priceRow = expect.objectContaining({ tier: text, trial_days: count, ...prices })

const subscription = expect.objectContaining({
  tier: 'pro',
  processor: 'stripe',
  status: 'trialing',
  currency: 'usd',
  price_at_creation_cents: 1_200,
  trial_end: moment,
  current_period_end: moment,
  created_at: moment,
})

export const subscriptions: readonly Row[] = [
  row(
    'GET /tiers',
    'none',
    is(200, 'any caller', () => get('/tiers'), {
      tiers: ['community', 'pro', 'team'].map((tier) =>
        expect.objectContaining({
          tier,
          name: text,
          commission_bps: count,
          trial_days: count,
          api_requests_per_minute: count,
          limits: expect.objectContaining({ max_files: count, max_storage_mb: count, max_media_size_mb: count }),
          prices,
        }),
      ),
    }),
  ),
  row(
    'GET /account/subscription',
    'bearer',
    is(200, 'nothing subscribed to', (as) => get('/account/subscription', as), { subscription: null }),
    is(200, 'no processor', (as) => onBare('GET', '/account/subscription', as), { subscription: null }),
    is(200, 'a subscription', async () => get('/account/subscription', (await subscribed()).headers), { subscription }),
  ),
  row(
    'DELETE /account/subscription',
    'bearer',
    is(
      200,
      'a subscription, with the row as it is then',
      async () => remove('/account/subscription', (await subscribed()).headers),
      expect.objectContaining({ status: 'trialing', cancel_at_period_end: true }),
    ),
    is(404, 'nothing subscribed to', (as) => remove('/account/subscription', as)),
    is(404, 'no processor', (as) => onBare('DELETE', '/account/subscription', as)),
  ),
  row(
    'POST /checkout/start-trial',
    'bearer',
    is(200, 'a tier and a currency', (as) => post(START, as), { checkout_url: text, checkout_id: text }),
    is(400, 'the free tier', (as) => post('/checkout/start-trial?tier=community&currency=usd', as)),
    is(400, 'no currency', (as) => post('/checkout/start-trial?tier=pro', as)),
    is(
      409,
      'an account with a subscription',
      async () => post(START, (await subscribed()).headers),
      undefined,
      codeIs('already_subscribed'),
    ),
    is(502, 'a processor that fails', async () => {
      const { headers } = await newUser()
      fakeBilling.next('openCheckout', { lose: 'request' })
      return post(START, headers)
    }),
    is(503, 'no processor', (as) => onBare('POST', START, as), undefined, codeIs('stripe_not_configured')),
  ),
  row(
    'POST /stripe/subscription/webhook',
    'none',
    is(200, 'a message about a subscription', async () => say(fakeBilling.message((await subscribedSeat()).seat)), {
      received: true,
      handled: true,
    }),
    is(200, 'a message about another service', () => say(fakeBilling.message('unknown-seat')), {
      received: true,
      handled: false,
    }),
    is(400, 'an unsigned message', () => say({ body: '{}', headers: {} })),
    is(
      400,
      'a message without a secret to check it with',
      async () => say(fakeBilling.message('seat'), fixture.bare),
      undefined,
      codeIs('invalid_message'),
    ),
    is(500, 'a message that it cannot act on', async () => {
      const { seat } = await subscribedSeat()
      fakeBilling.next('getSubscription', { lose: 'request' })
      return say(fakeBilling.message(seat))
    }),
  ),
  row(
    'GET /admin/settings/subscription-pricing',
    'admin',
    is(200, 'all three tiers', (as) => get(SETTINGS, as), { tiers: [priceRow, priceRow, priceRow] }),
  ),
  row(
    'PUT /admin/settings/subscription-pricing/{tier}',
    'admin',
    is(
      200,
      'any of the fields',
      (as) => put(`${SETTINGS}/team`, as, { trial_days: 14 }),
      expect.objectContaining({ tier: 'team', trial_days: 14 }),
    ),
    is(400, 'none of the fields', (as) => put(`${SETTINGS}/team`, as, {})),
    is(400, 'a price below nothing', (as) => put(`${SETTINGS}/team`, as, { price_usd_monthly_cents: -1 })),
    is(400, 'a tier that is none', (as) => put(`${SETTINGS}/gold`, as, { trial_days: 14 })),
  ),
  ...prepaidPlans,
]

async function subscribedSeat() {
  const { headers, messages } = await subscribed()
  return { headers, seat: String(JSON.parse(messages[0]?.body ?? '{}').subscription) }
}
