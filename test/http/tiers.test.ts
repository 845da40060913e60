import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, makeAdministrator, signUp } from '../support/accounts.ts'
import { createTestApp, openStorage } from '../support/app.ts'
import { createBillingApp, subscriber, tellAll } from '../support/billing.ts'
import { client } from '../support/client.ts'

const SETTINGS = '/admin/settings/subscription-pricing'

let test: Awaited<ReturnType<typeof createBillingApp>>
let admin: Record<string, string>
beforeAll(async () => {
  test = await createBillingApp({ auth: { adminEmails: [] } })
  const chief = await signUp(test.app, 'chief')
  await makeAdministrator(test, chief)
  admin = chief.headers
})
afterAll(() => test.close())

const edit = (tier: string, payload: unknown, headers = admin) =>
  client(test.app).put(`${SETTINGS}/${tier}`, payload as object, headers)
const tierNamed = async (name: string) =>
  (await client(test.app).get('/tiers')).json().tiers.find(({ tier }: { readonly tier: string }) => tier === name)

describe('the tiers', () => {
  it('shows the tiers to everyone with limits, commissions and prices', async () => {
    const { app, close } = await createTestApp()
    const answer = await client(app).get('/tiers')
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'public, max-age=60'])
    const { tiers } = answer.json()
    expect(tiers.map(({ tier }: { readonly tier: string }) => tier)).toEqual(['community', 'pro', 'team'])
    expect(tiers[0]).toMatchObject({
      name: 'Community',
      prices: { price_usd_monthly_cents: 0, price_eur_monthly_cents: 0, price_usdc_yearly_cents: 0 },
      trial_days: 0,
    })
    expect(tiers[1]).toEqual({
      tier: 'pro',
      name: 'Pro',
      limits: {
        max_files: 1_000,
        max_batch_files: 20,
        max_batch_size_mb: 200,
        max_storage_mb: 10_240,
        max_audio_upload_mb: 100,
        max_video_upload_mb: 500,
        max_media_size_mb: 500,
        transcription_minutes_per_month: 300,
        max_media_duration_minutes_per_file: 60,
        max_file_mb: 25,
      },
      commission_bps: 500,
      prices: { price_usd_monthly_cents: 1_200, price_eur_monthly_cents: 1_100, price_usdc_yearly_cents: 12_000 },
      trial_days: 14,
      api_requests_per_minute: 300,
    })
    const again = await client(app).get('/tiers', { 'if-none-match': String(answer.headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    await close()
  })

  it('returns the limits that the host has changed', async () => {
    const { app, close } = await createTestApp({
      limits: { plans: { pro: { name: 'Plus', limits: { maxFiles: 7 } } } },
    })
    const { tiers } = (await client(app).get('/tiers')).json()
    expect(tiers[1]).toMatchObject({ name: 'Plus', limits: { max_files: 7, max_batch_files: 20 } })
    await close()
  })

  it('reads the tiers from the storage once, and again after an edit, on every instance', async () => {
    const database = await openStorage()
    const [one, other] = [
      await createTestApp({ storage: database.storage }),
      await createTestApp({ storage: database.another() }),
    ]
    const shown = async ({ app }: typeof one) => (await client(app).get('/tiers')).json().tiers[2].trial_days
    expect([await shown(one), await shown(other)]).toEqual([14, 14])
    const chief = await signUp(one.app, 'chief')
    await makeAdministrator(one, chief)
    const url = `${SETTINGS}/team`
    const edited = await chief.put(url, { trial_days: 3 })
    expect(edited.statusCode, edited.body).toBe(200)
    expect(await shown(one)).toBe(3)
    await expect.poll(() => shown(other)).toBe(3)
    for (const { close } of [one, other]) await close()
    await database.close()
  })
})

describe('the prices of tiers', () => {
  it('lists prices to administrators, who can change them one by one', async () => {
    const before = await client(test.app).get(SETTINGS, admin)
    expect(before.json().tiers.length).toBe(3)
    expect(before.json().tiers[2]).toEqual({
      tier: 'team',
      price_usd_monthly_cents: 4_900,
      price_eur_monthly_cents: 4_500,
      price_usdc_yearly_cents: 49_000,
      trial_days: 14,
    })
    const answer = await edit('team', { price_eur_monthly_cents: 4_200 })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json()).toEqual({ ...before.json().tiers[2], price_eur_monthly_cents: 4_200 })
    expect(await tierNamed('team')).toMatchObject({
      prices: { price_usd_monthly_cents: 4_900, price_eur_monthly_cents: 4_200 },
    })
  })

  it('applies edited prices to new subscriptions only', async () => {
    const early = await test.subscribed()
    const open = await subscriber(test.app)
    const page = await open.page()
    await edit('pro', { price_usd_monthly_cents: 1_500, trial_days: 0 })
    await tellAll(test.app, test.fakeBilling.endPeriod(early.seat))
    expect(await early.subscription()).toMatchObject({ price_at_creation_cents: 1_200 })
    const later = await open.page()
    expect(later).not.toBe(page)
    expect(test.fakeBilling.ledger.desks.get(page)?.checkout.state).toBe('expired')
    await tellAll(test.app, test.fakeBilling.buy(later))
    expect(await open.subscription()).toMatchObject({ price_at_creation_cents: 1_500, status: 'active' })
    await edit('pro', { price_usd_monthly_cents: 1_200, trial_days: 14 })
  })

  it.each([
    ['nothing', {}],
    ['more than ten millions', { price_usd_monthly_cents: 1_000_000_001 }],
    ['no number', { price_eur_monthly_cents: null }],
    ['a trial of years', { trial_days: 731 }],
  ])('rejects %s', async (_, payload) => {
    const answer = await edit('pro', payload)
    expect([answer.statusCode, codeOf(answer)]).toEqual([400, 'validation_failed'])
  })

  it('rejects an unknown tier', async () => {
    for (const tier of ['gold', 'enterprise', 'PRO']) expect((await edit(tier, { trial_days: 1 })).statusCode).toBe(400)
  })

  it('accepts the largest and the smallest price, also of the free tier', async () => {
    const largest = { price_usd_monthly_cents: 1_000_000_000, price_usdc_yearly_cents: 0, trial_days: 730 }
    expect((await edit('community', largest)).json()).toMatchObject(largest)
    const back = { price_usd_monthly_cents: 0, trial_days: 0 }
    expect((await edit('community', back)).json()).toMatchObject(back)
  })

  it('records who changed what', async () => {
    const before = (await tierNamed('team')).trial_days
    await edit('team', { trial_days: 9 })
    const { items } = await test.storage.read.audit.list({ target: 'pricing/team' }, { limit: 1 })
    const me = await client(test.app).get('/auth/me', admin)
    expect(items[0]).toMatchObject({
      actorAccountId: me.json().id,
      action: 'pricing.changed',
      before: { trial_days: before },
      after: { trial_days: 9, price_usd_monthly_cents: 4_900 },
    })
  })
})

describe('an account', () => {
  it('does not let an account set its own tier or trial', async () => {
    const { headers, account } = await signUp(test.app)
    const wish = { tier: 'team', granted_tier: 'team', grantedTier: 'team', had_trial: false, isAdmin: true }
    const put = (url: string, payload: object) => client(test.app).put(url, payload, headers)
    await put('/manage/profile', { ...wish, bio: 'Hello' })
    await put(`/profiles/u/${account.username}`, { ...wish, bio: 'Hello' })
    const named = { email: 'greedy@example.com', password: 'Correct horse 7 battery', username: 'greedy', ...wish }
    await client(test.app).post('/auth/register', named)
    const me = await client(test.app).get('/auth/me', headers)
    expect(me.json()).toMatchObject({ tier: 'community', isAdmin: false })
    const query = 'tier=pro&currency=usd&price_cents=1&trial_days=700'
    const page = await client(test.app).post(`/checkout/start-trial?${query}`, wish, headers)
    const order = test.fakeBilling.ledger.desks.get(page.json().checkout_id)?.order
    expect(order).toMatchObject({ priceCents: 1_200, trialDays: 14, accountId: account.id })
  })
})
