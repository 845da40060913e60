import { endOfLog, eventsAfter, newGrant } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, newName, type Person, signUp } from '../support/accounts.ts'
import type { Wish } from '../support/billing.ts'
import { readNotifications, untilNotified } from '../support/notifications.ts'
import { leadsTo, openBrowser, sentencesOf } from '../support/pages.ts'
import { createPlayApp, type PlayApp } from '../support/play-money.ts'

let test: PlayApp
beforeAll(async () => {
  test = await createPlayApp()
})
afterAll(() => test.close())

const DAY_MS = 86_400_000

/** What only a person with the key of the sandbox does. */
const plans = () => test.eep.sandboxPlans

const start = (who: Person, { tier = 'pro', currency = 'usd' }: Wish = {}) =>
  who.post(`/checkout/start-trial?tier=${tier}&currency=${currency}`)
const subscriptionOf = async (who: Person) => (await who.get('/account/subscription')).json().subscription

/** A person with the page of an order open, in a browser without script. */
async function ordering(wish?: Wish, headers?: Record<string, string>) {
  const who = await signUp(test.app, newName())
  const { checkout_id: id, checkout_url: url } = (await start(who, wish)).json()
  const tab = openBrowser(test.app, headers)
  const path = `/sandbox/plans/${id}`
  return {
    who,
    id,
    url,
    see: () => tab.open(path),
    press: (action: string, more: Record<string, string> = {}) => tab.submit(path, { action }, more),
  }
}

/** A person with a running plan. `isTrial`: in its trial, else after it. */
async function subscribed(isTrial = false) {
  const { who, id, press } = await ordering()
  expect((await press('pay')).statusCode).toBe(303)
  const seat = (await test.books.get(id))?.subscriptionId ?? ''
  if (!isTrial) expect(await plans().endPeriod(seat)).toBe(true)
  return { who, seat }
}

/** The status of the subscription of a person, and their plan. */
const statusOf = async (who: Person) => [(await subscriptionOf(who))?.status, (await who.get('/auth/me')).json().tier]

describe('the test checkout of a plan', () => {
  it('shows the plan, its price and its trial on a page that is never cached, without script', async () => {
    const { see } = await ordering({ tier: 'team', currency: 'eur' })
    const page = await see()
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' })
    expect(page.headers['content-security-policy']).toContain("form-action 'self' https://profiles.example")
    const text = sentencesOf(page)
    for (const part of ['Start the plan Team', '€45.00 a month', '14 days, then €45.00 a month', 'No money moves'])
      expect(text).toContain(part)
    for (const button of ['Start with test card', 'Decline', 'Cancel']) expect(text).toContain(`>${button}</button>`)
    expect(page.body).not.toContain('<script')
  })

  it('is at an address of 128 random bits below the public URL', async () => {
    const { id, url } = await ordering()
    expect(id).toMatch(/^[\w-]{22}$/)
    expect(url).toBe(`https://profiles.example/sandbox/plans/${id}`)
  })

  it('starts the trial, and leads back to the page of the plan', async () => {
    const { who, id, press } = await ordering()
    const end = test.time.day(14).toISOString()
    expect(leadsTo(await press('pay'))).toEqual([
      303,
      `https://profiles.example/account/subscription?checkout_id=${id}`,
    ])
    expect(await subscriptionOf(who)).toMatchObject({
      tier: 'pro',
      processor: 'sandbox',
      status: 'trialing',
      price_at_creation_cents: 1_200,
      trial_end: end,
      current_period_end: end,
    })
    expect(await statusOf(who)).toEqual(['trialing', 'pro'])
  })

  it('charges nothing when the card is declined, and can be paid then', async () => {
    const { who, press } = await ordering()
    const declined = await press('decline')
    expect([declined.statusCode, declined.headers['cache-control']]).toEqual([200, 'private, no-store'])
    expect(declined.body).toContain('The test card was declined. Nothing was charged.')
    expect(await statusOf(who)).toEqual([undefined, 'community'])
    expect((await press('pay')).statusCode).toBe(303)
    expect(await statusOf(who)).toEqual(['trialing', 'pro'])
  })

  it('leads back to the prices on cancel, and stays open', async () => {
    const { who, see, press } = await ordering()
    expect(leadsTo(await press('cancel'))).toEqual([303, 'https://profiles.example/pricing'])
    expect(await statusOf(who)).toEqual([undefined, 'community'])
    expect((await see()).body).toContain('Start with test card')
  })

  it('starts one subscription when the button is pressed several times concurrently', async () => {
    const { who, see, press } = await ordering()
    const presses = await Promise.all([press('pay'), press('pay'), press('pay')])
    expect(presses.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303])
    expect(new Set(presses.map(({ headers }) => headers.location)).size).toBe(1)
    const started = await plans().listPlans()
    expect(started.filter(({ accountId }) => accountId === who.account.id)).toHaveLength(1)
    expect((await see()).body).toContain('The plan has started.')
  })

  it('refuses forms of other sites, and pages that do not exist', async () => {
    const { who, press } = await ordering()
    const foreign = await press('pay', { origin: 'https://evil.example', accept: 'application/json' })
    expect([foreign.statusCode, codeOf(foreign)]).toEqual([403, 'csrf'])
    expect(await statusOf(who)).toEqual([undefined, 'community'])
    const tab = openBrowser(test.app, { accept: 'application/json' })
    for (const id of ['A'.repeat(22), 'short']) {
      const missing = await tab.open(`/sandbox/plans/${id}`)
      expect([400, 404]).toContain(missing.statusCode)
      expect((await tab.submit(`/sandbox/plans/${id}`, { action: 'pay' })).statusCode).toBe(missing.statusCode)
    }
  })

  it('cannot be paid once another page of the account is open', async () => {
    const { who, id, press } = await ordering()
    const other = (await start(who, { tier: 'team' })).json().checkout_id
    expect(other).not.toBe(id)
    expect((await press('pay')).body).toContain('This test checkout has expired. Nothing was charged.')
    expect(await statusOf(who)).toEqual([undefined, 'community'])
  })

  it.each([
    ['en', 'ltr', 'Start with test card'],
    ['de', 'ltr', 'Mit Testkarte beginnen'],
    ['ja', 'ltr', 'テストカードで開始'],
    ['ar', 'rtl', 'البدء ببطاقة تجريبية'],
  ])('is written in %s', async (language, direction, button) => {
    const { see } = await ordering({}, { 'accept-language': language })
    const { body } = await see()
    expect(body).toContain(`lang="${language}" dir="${direction}"`)
    expect(body).toContain(`>${button}</button>`)
  })
})

describe('a plan of the play processor', () => {
  it('is renewed when its period ends by the clock, and its payment is reported', async () => {
    const { who } = await subscribed()
    const before = (await subscriptionOf(who)).current_period_end
    const end = await endOfLog(test.storage)
    await plans().moveClock('month')
    const after = await subscriptionOf(who)
    expect(after.status).toBe('active')
    const bills = (await eventsAfter(test.storage, end)).filter(({ type }) => type === 'subscriptions.bill_paid')
    expect(bills.find(({ accountId }) => accountId === who.account.id)?.data).toMatchObject({
      amountCents: 1_200,
      currency: 'usd',
      attempt: 1,
    })
    // A month later than the period that ended, in the time that is left.
    expect(Date.parse(after.current_period_end) - Date.parse(before)).toBeLessThan(DAY_MS)
    expect(Date.parse(after.current_period_end)).toBeGreaterThan(test.time.clock().getTime() + 20 * DAY_MS)
  })

  it('is past due while its payment fails, notifies its owner, and recovers with the next attempt', async () => {
    const { who, seat } = await subscribed()
    expect(await plans().failNextPayment(seat)).toBe(true)
    await plans().endPeriod(seat)
    expect(await statusOf(who)).toEqual(['past_due', 'pro'])
    await untilNotified(who, (items) => expect(items.some(({ title }) => title.includes('failed'))).toBe(true))
    for (const _day of [1, 2, 3]) await plans().moveClock('day')
    expect(await statusOf(who)).toEqual(['active', 'pro'])
  })

  it('ends when every attempt fails', async () => {
    const { who, seat } = await subscribed()
    for (const _attempt of [1, 2, 3, 4]) {
      await plans().failNextPayment(seat)
      await plans().endPeriod(seat)
    }
    expect(await statusOf(who)).toEqual([undefined, 'community'])
    expect(await plans().endPeriod(seat)).toBe(false)
  })

  it('ends with its period after it was cancelled, and not before', async () => {
    const { who } = await subscribed()
    expect((await who.delete('/account/subscription')).json()).toMatchObject({
      status: 'active',
      cancel_at_period_end: true,
    })
    await plans().moveClock('day')
    expect(await statusOf(who)).toEqual(['active', 'pro'])
    await plans().moveClock('month')
    expect(await statusOf(who)).toEqual([undefined, 'community'])
  })

  it('ends immediately when the processor cancels it', async () => {
    const { who, seat } = await subscribed()
    expect(await plans().cancelPlan(seat)).toBe(true)
    expect(await statusOf(who)).toEqual([undefined, 'community'])
    expect(await plans().cancelPlan(seat)).toBe(false)
    expect(await plans().failNextPayment(seat)).toBe(false)
  })

  it('reminds once of the end of a trial, three days before it', async () => {
    const { who } = await subscribed(true)
    const reminders = async () => {
      const { data } = await readNotifications(who)
      return data.filter(({ title }) => /^Your trial of \w+ ends/.test(title)).length
    }
    for (let day = 0; day < 10; day++) await plans().moveClock('day')
    expect(await reminders()).toBe(0)
    await plans().moveClock('day')
    await expect.poll(reminders).toBe(1)
    await plans().moveClock('day')
    expect(await reminders()).toBe(1)
    for (const _day of [1, 2]) await plans().moveClock('day')
    expect(await statusOf(who)).toEqual(['active', 'pro'])
  })

  it('is in the list of plans, with what happens next', async () => {
    const { who, seat } = await subscribed(true)
    await plans().failNextPayment(seat)
    const started = await plans().listPlans()
    expect(started.find(({ id }) => id === seat)).toMatchObject({
      accountId: who.account.id,
      title: 'Pro',
      currency: 'usd',
      priceCents: 1_200,
      status: 'trialing',
      failsNext: true,
    })
  })

  it('is read again when its message was lost', async () => {
    const { who, id } = await ordering()
    await test.books.complete(id)
    expect(await subscriptionOf(who)).toBeNull()
    expect((await who.get(`/account/subscription?checkout_id=${id}`)).json().subscription).toMatchObject({
      status: 'trialing',
    })
  })
})

describe('moving the clock of the sandbox', () => {
  it('ends access that was paid for a time, and leaves what lasts and sessions as they are', async () => {
    const owner = await signUp(test.app, newName())
    const profileId = owner.account.active_profile_id
    const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)
    const open = async (validUntil: Date | null) => {
      const entitlement = newGrant(profileId, { validUntil })
      await test.storage.transaction((tx) => tx.entitlements.grant(entitlement))
      const { payerWalletAddress, payerNetwork } = entitlement
      return () => test.storage.read.entitlements.listActive({ profileId, payerWalletAddress, payerNetwork })
    }
    const [short, long, lasting] = [await open(inDays(20)), await open(inDays(40)), await open(null)]
    await plans().moveClock('month')
    expect(await short()).toEqual([])
    expect((await long())[0]?.validUntil?.getTime()).toBeLessThan(inDays(10).getTime())
    expect((await lasting())[0]?.validUntil).toBeNull()
    expect((await owner.get('/auth/me')).statusCode).toBe(200)
  })
})
