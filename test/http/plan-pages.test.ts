import { randomUUID } from 'node:crypto'
import { defineBillingProcessor, type NewNotification } from '@eep/core/ports'
import { newSubscription } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, type Person, signUp } from '../support/accounts.ts'
import { createBillingApp } from '../support/billing.ts'
import { follow, untilNotified } from '../support/notifications.ts'
import { leadsTo, openBrowser, sentencesOf } from '../support/pages.ts'

let test: Awaited<ReturnType<typeof createBillingApp>>
beforeAll(async () => {
  test = await createBillingApp()
})
afterAll(() => test.close())

const browser = (headers?: Record<string, string>) => openBrowser(test.app, headers)

/** A browser that is signed in to an account. */
async function browserOf({ account }: Person, headers?: Record<string, string>) {
  const tab = browser(headers)
  expect(leadsTo(await tab.submit('/login', { email: account.email, password: PASSWORD }))).toEqual([303, '/dashboard'])
  return tab
}

describe('the page of prices', () => {
  it('shows each plan with its prices, its trial and its limits', async () => {
    const page = await browser().open('/pricing')
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    for (const text of ['>Free<', '$12.00 a month', '€11.00 a month', '120 USDC a year', 'Days of trial: 14'])
      expect(sentencesOf(page)).toContain(text)
    expect(sentencesOf(page)).toContain('Storage: 10 GB')
    expect(sentencesOf(page)).toContain('Files: 1,000')
  })

  it.each([
    ['de', /12,00\s\$ im Monat/],
    ['ja', /月額 \$12\.00/],
    ['ar', /dir="rtl"/],
  ])('is written in %s', async (language, price) => {
    expect(sentencesOf(await browser({ 'accept-language': language }).open('/pricing'))).toMatch(price)
  })
})

describe('the buttons that buy a plan', () => {
  it('lead a signed-out visitor to the sign-in and back to the prices', async () => {
    const tab = browser()
    expect((await tab.open('/pricing')).body).toContain('action="/account/plan/buy"')
    const sent = await tab.submit('/account/plan/buy', { tier: 'pro', currency: 'usd' })
    expect(leadsTo(sent)).toEqual([303, '/login?next=%2Fpricing'])
  })

  it('lead to the page of the processor, one page for one account', async () => {
    const tab = await browserOf(await signUp(test.app))
    const buy = () => tab.submit('/account/plan/buy', { tier: 'pro', currency: 'usd' })
    const addressIn = ({ body }: { readonly body: string }) => /<a class="btn" href="([^"]+)">/.exec(body)?.[1]
    const [first, again] = [await buy(), await buy()]
    expect([first.statusCode, again.statusCode]).toEqual([200, 200])
    expect(addressIn(first)).toMatch(/^https?:/)
    expect(addressIn(again)).toBe(addressIn(first))
  })

  it('are refused for another site, and for a plan that is not sold', async () => {
    const tab = await browserOf(await signUp(test.app))
    const plan = { tier: 'pro', currency: 'usd' }
    const foreign = await tab.submit('/account/plan/buy', plan, { origin: 'https://evil.example' })
    expect(foreign.statusCode).toBe(403)
    const unknown = await tab.submit('/account/plan/buy', { tier: 'gold', currency: 'usd' })
    expect([unknown.statusCode, unknown.body.includes('Choose a plan')]).toEqual([400, true])
  })

  it('are missing for an account that has a plan, which gets the reason when it sends one', async () => {
    const ada = await signUp(test.app)
    const subscription = newSubscription(ada.account.id, { status: 'active' })
    await test.storage.transaction((tx) => tx.subscriptions.put(subscription))
    const tab = await browserOf(ada)
    expect((await tab.open('/pricing')).body).not.toContain('/account/plan/buy')
    const sent = await tab.submit('/account/plan/buy', { tier: 'pro', currency: 'usd' })
    expect([sent.statusCode, sent.body.includes('You already have a subscription.')]).toEqual([409, true])
  })
})

describe('the trial in words', () => {
  it('states how long it is free and what follows, and is missing for an account that had one', async () => {
    const words = '14 days free. Then $12.00 a month until you cancel. Cancel before, and you pay nothing.'
    expect(sentencesOf(await browser().open('/pricing'))).toContain(words)
    const ada = await signUp(test.app)
    await test.storage.transaction((tx) => tx.accounts.save(ada.account.id, { hadTrial: true }))
    const page = sentencesOf(await (await browserOf(ada)).open('/pricing'))
    expect(page).not.toContain(words)
    expect(page).toContain('Renews each month until you cancel.')
    expect(page).toContain('Buy for $12.00 a month')
  })
})

describe('the form that cancels a plan', () => {
  it('is on the page of a running plan after a question, and is missing without one', async () => {
    const ada = await signUp(test.app)
    const tab = await browserOf(ada)
    expect((await tab.open('/account/plan')).body).not.toContain('/account/plan/cancel')
    const none = await tab.submit('/account/plan/cancel', {})
    expect([none.statusCode, none.body.includes('You have no running subscription.')]).toEqual([404, true])
    const end = new Date('2027-03-04')
    const subscription = newSubscription(ada.account.id, { status: 'active', trialEnd: null, currentPeriodEnd: end })
    await test.storage.transaction((tx) => tx.subscriptions.put(subscription))
    const page = await tab.open('/account/plan')
    expect(page.body).toContain('<form method="post" action="/account/plan/cancel">')
    expect(sentencesOf(page)).toContain('It then ends on March 4, 2027.')
  })

  it('leads a signed-out visitor to the sign-in, and is refused for another site', async () => {
    expect(leadsTo(await browser().submit('/account/plan/cancel', {}))).toEqual([303, '/login?next=%2Faccount%2Fplan'])
    const tab = await browserOf(await signUp(test.app))
    const foreign = await tab.submit('/account/plan/cancel', {}, { origin: 'https://evil.example' })
    expect(foreign.statusCode).toBe(403)
  })
})

describe('the page of a plan', () => {
  it('leads a signed-out visitor to the sign-in and back', async () => {
    expect(leadsTo(await browser().open('/account/plan'))).toEqual([303, '/login?next=%2Faccount%2Fplan'])
  })

  it('is where browsers are sent from the JSON of the subscription, with the checkout that they return from', async () => {
    const tab = await browserOf(await signUp(test.app))
    const sent = await tab.open('/account/subscription?checkout_id=desk-1')
    expect(leadsTo(sent)).toEqual([303, '/account/plan?checkout_id=desk-1'])
    const page = await tab.open('/account/plan?checkout_id=desk-1')
    expect(page.headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' })
    expect(page.body).toContain('The processor has not confirmed the payment yet.')
    expect((await tab.open('/account/plan')).body).toContain('You have no running subscription.')
    const json = await tab.open('/account/subscription', { accept: 'application/json' })
    expect([json.statusCode, json.json()]).toEqual([200, { subscription: null }])
  })

  it.each([
    [{ status: 'active', currentPeriodEnd: new Date('2027-03-04') }, 'The current period ends on March 4, 2027.'],
    [
      { status: 'trialing', trialEnd: new Date('2027-03-04') },
      'Free until March 4, 2027. Then $12.00 a month until you cancel. If you cancel before, you pay nothing.',
    ],
    [
      { status: 'active', cancelAtPeriodEnd: true, currentPeriodEnd: new Date('2027-03-04') },
      'The subscription is cancelled and ends on March 4, 2027.',
    ],
    [{ status: 'past_due' }, 'The last payment failed.'],
    [{ status: 'incomplete' }, 'The processor has not confirmed the payment yet.'],
  ] as const)('describes the state of a subscription: %j', async (state, text) => {
    const ada = await signUp(test.app)
    const subscription = newSubscription(ada.account.id, { trialEnd: null, currentPeriodEnd: null, ...state })
    await test.storage.transaction((tx) => tx.subscriptions.put(subscription))
    expect(sentencesOf(await (await browserOf(ada)).open('/account/plan'))).toContain(text)
  })

  it('has no button for what the processor cannot do', async () => {
    const { app, storage, close } = await createBillingApp({
      through: ({ change, resume, portal, listInvoices, ...processor }) => defineBillingProcessor(processor),
    })
    const ada = await signUp(app)
    const subscription = newSubscription(ada.account.id, { status: 'active', processor: 'cash' })
    await storage.transaction((tx) => tx.subscriptions.put(subscription))
    const tab = openBrowser(app)
    await tab.submit('/login', { email: ada.account.email, password: PASSWORD })
    const { body } = await tab.open('/account/plan')
    for (const path of ['change', 'portal', 'invoices', 'resume']) expect(body).not.toContain(`/account/plan/${path}`)
    expect(body).toContain('action="/account/plan/cancel"')
    expect((await tab.open('/account/plan/invoices')).statusCode).toBe(404)
    await close()
  })

  it('offers no change of a prepaid year, and of a plan whose payment failed only another means of payment', async () => {
    const [ada, bert] = [await signUp(test.app), await signUp(test.app)]
    const prepaid = newSubscription(ada.account.id, {
      processor: 'usdc',
      currency: 'usdc',
      priceAtCreationCents: 12_000,
    })
    const owing = newSubscription(bert.account.id, { processor: 'cash', status: 'past_due' })
    for (const one of [prepaid, owing]) await test.storage.transaction((tx) => tx.subscriptions.put(one))
    const year = await (await browserOf(ada)).open('/account/plan')
    expect(sentencesOf(year)).toContain('120 USDC for a year, paid ahead')
    expect(year.body).not.toMatch(/account\/plan\/(change|portal)/)
    const failed = await (await browserOf(bert)).open('/account/plan')
    expect(failed.body).toContain('role="alert"')
    expect(failed.body).toContain('action="/account/plan/portal"')
    expect(failed.body).not.toContain('/account/plan/change')
  })

  it('is linked from the dashboard, as are the notifications and the prices', async () => {
    const { body } = await (await browserOf(await signUp(test.app))).open('/dashboard')
    for (const path of ['/account/plan', '/account/notifications', '/pricing', '/purchases'])
      expect(body).toContain(`href="${path}"`)
  })
})

describe('the page of notifications', () => {
  it('lists them with links, and marks all as read', async () => {
    const [ada, bert] = await Promise.all([signUp(test.app), signUp(test.app)])
    await follow(bert, ada)
    await untilNotified(ada, (items) => expect(items).toHaveLength(1))
    const tab = await browserOf(ada)
    expect(leadsTo(await tab.open('/notifications'))).toEqual([303, '/account/notifications'])
    const page = await tab.open('/account/notifications')
    expect(page.body).toContain(`href="/u/${bert.account.username}"`)
    expect(page.body).toContain('unread')
    expect(leadsTo(await tab.submit('/account/notifications', {}))).toEqual([303, '/account/notifications'])
    const read = await tab.open('/account/notifications')
    expect(read.body).toContain(`href="/u/${bert.account.username}"`)
    expect(read.body).not.toContain('unread')
    expect(read.body).not.toContain('Mark all as read')
  })

  it('marks one as read and keeps the others, and lists only the unread ones', async () => {
    const [ada, bert] = await Promise.all([signUp(test.app), signUp(test.app)])
    const add = (plan: string) =>
      test.storage.transaction((tx) =>
        tx.notifications.add([
          {
            id: randomUUID(),
            accountId: ada.account.id,
            profileId: ada.account.active_profile_id,
            aboutProfileId: ada.account.active_profile_id,
            permission: null,
            groupKey: null,
            actorProfileId: null,
            inApp: true,
            emailAt: null,
            digestAt: null,
            createdAt: test.time.clock(),
            kind: 'plan',
            data: { plan },
          },
        ]),
      )
    await add('pro')
    await add('team')
    const tab = await browserOf(ada)
    const [, id = ''] =
      /<bdi>pro<\/bdi>[\s\S]*?name="id" value="([^"]+)"/.exec((await tab.open('/account/notifications')).body) ?? []
    const unreadPath = '/account/notifications?unread=true'
    // Another account changes nothing with the id, and neither does an id of none.
    await (await browserOf(bert)).submit('/account/notifications', { id })
    await tab.submit('/account/notifications', { id: 'x'.repeat(500) })
    expect((await tab.open(unreadPath)).body).toContain('<bdi>pro</bdi>')
    expect(leadsTo(await tab.submit('/account/notifications', { id, next: unreadPath }))).toEqual([303, unreadPath])
    const unread = await tab.open(unreadPath)
    expect(unread.body).toContain('<bdi>team</bdi>')
    expect(unread.body).not.toContain('<bdi>pro</bdi>')
    expect((await tab.open('/account/notifications')).body).toContain('<bdi>pro</bdi>')
    const away = await tab.submit('/account/notifications', { next: 'https://evil.example/' })
    expect(leadsTo(away)).toEqual([303, '/account/notifications'])
    expect((await tab.open(unreadPath)).body).toContain('You have read all notifications.')
  })

  it('does not link a notification whose address is only for programs, and links the page of a plan', async () => {
    const ada = await signUp(test.app)
    const { id: accountId, active_profile_id: profileId } = ada.account
    const common = {
      accountId,
      profileId,
      aboutProfileId: profileId,
      permission: null,
      groupKey: null,
      actorProfileId: null,
    }
    const add = (kind: string, data: NewNotification['data']) =>
      test.storage.transaction((tx) => {
        const due = { inApp: true, emailAt: null, digestAt: null, createdAt: test.time.clock() }
        return tx.notifications.add([{ id: randomUUID(), ...common, ...due, kind, data }])
      })
    await add('job', { jobId: 'j1', kind: 'export', status: 'failed' })
    await add('plan', { plan: 'pro' })
    const { body } = await (await browserOf(ada)).open('/account/notifications')
    expect(body).toContain('<p>The job &quot;<bdi>export</bdi>&quot; failed')
    expect(body).toContain('<a href="/account/plan">Your plan is now <bdi>pro</bdi></a>')
    expect(body).not.toMatch(/\/jobs\/|\/manage\/limits/)
  })

  it('states that there are none, and refuses the form of another site', async () => {
    const tab = await browserOf(await signUp(test.app))
    expect((await tab.open('/account/notifications')).body).toContain('You have no notifications.')
    const foreign = await tab.submit('/account/notifications', {}, { origin: 'https://evil.example' })
    expect(foreign.statusCode).toBe(403)
    expect((await tab.open('/account/notifications?cursor=x')).statusCode).toBe(400)
  })

  it('leads signed-out visitors to the sign-in and back', async () => {
    const signIn = '/login?next=%2Faccount%2Fnotifications'
    expect(leadsTo(await browser().open('/account/notifications'))).toEqual([303, signIn])
    expect(leadsTo(await browser().submit('/account/notifications', {}))).toEqual([303, signIn])
  })
})
