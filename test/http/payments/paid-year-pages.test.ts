import { localFacilitator } from '@eep/payments-x402'
import { encodeHeader, type PaymentChanges, signPayment, type Wallet } from '@eep/payments-x402/testing'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../support/accounts.ts'
import { keyOf, postKey } from '../../support/api-keys.ts'
import { leadsTo, openBrowser, sentencesOf } from '../../support/pages.ts'
import { monthly, openYears, YEAR, yearBehind } from '../../support/years.ts'

const { chain, payer, railOn, spentBy, startHost } = await openYears()

const YEAR_PAGE = '/account/plan/year'
const QUARTER_HOUR = 900_000
const dayOf = (date: string) =>
  new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))

/** What a page asks for. */
const requiredIn = ({ headers }: LightMyRequestResponse) =>
  JSON.parse(Buffer.from(String(headers['payment-required']), 'base64').toString())

/** What became of a payment. */
const responseOf = ({ headers }: LightMyRequestResponse) =>
  JSON.parse(Buffer.from(String(headers['payment-response']), 'base64').toString())

/** A host, and an account that is signed in to its pages. */
async function openPages(options?: Parameters<typeof startHost>[0]) {
  const host = await startHost(options)
  async function signedIn() {
    const person = await host.customer()
    const tab = openBrowser(host.app)
    expect(leadsTo(await tab.submit('/login', { email: person.email, password: PASSWORD }))).toEqual([
      303,
      '/dashboard',
    ])
    const choose = (tier = 'pro') => tab.submit(YEAR_PAGE, { tier })
    /** The address of the page of a new offer. */
    const offer = async (tier?: string) => String((await choose(tier)).headers.location)
    const pay = async (page: LightMyRequestResponse, url: string, wallet: Wallet, changes?: PaymentChanges) => {
      const required = requiredIn(page)
      const payment = await signPayment(required.accepts[0], wallet, changes)
      return { payment, answer: await tab.open(url, { 'payment-signature': encodeHeader(payment) }) }
    }
    return { ...person, tab, choose, offer, pay }
  }
  return { ...host, signedIn }
}

describe('the page on which a wallet pays for a year', () => {
  it('is reached from the prices, and leads a signed-out visitor to the sign-in and back', async () => {
    const { app } = await openPages()
    const tab = openBrowser(app)
    const prices = sentencesOf(await tab.open('/pricing'))
    expect(prices).toContain(`action="${YEAR_PAGE}"`)
    expect(prices).toContain('Pay 120 USDC for a year')
    expect(prices).toContain('Nothing renews.')
    expect(leadsTo(await tab.submit(YEAR_PAGE, { tier: 'pro' }))).toEqual([303, '/login?next=%2Fpricing'])
    const offer = `${YEAR_PAGE}?offer=x`
    expect(leadsTo(await tab.open(offer))).toEqual([303, `/login?next=${encodeURIComponent(offer)}`])
  })

  it('takes the payment inside the repeated request, once, and leads to the plan', async () => {
    const { signedIn, clock } = await openPages()
    const ada = await signedIn()
    const wallet = await payer()
    const url = await ada.offer()
    const page = await ada.tab.open(url)
    expect([page.statusCode, page.headers['cache-control']]).toEqual([402, 'private, no-store'])
    for (const text of ['Pay for a year of Pro', '120 USDC', 'data-wallet-tier="pro"', 'id="wallet-sale"'])
      expect(sentencesOf(page)).toContain(text)
    const { answer, payment } = await ada.pay(page, url, wallet)
    expect([answer.statusCode, answer.headers['payment-response']]).toEqual([200, expect.any(String)])
    const again = await ada.tab.open(url, { 'payment-signature': encodeHeader(payment) })
    expect(again.statusCode).toBe(200)
    expect(await spentBy(wallet)).toBe(YEAR)
    expect(leadsTo(await ada.tab.open(url))).toEqual([303, '/account/plan?done=yearPaid'])
    const plan = sentencesOf(await ada.tab.open('/account/plan?done=yearPaid'))
    for (const text of ['Your year was paid.', 'Plan: Pro', '120 USDC for a year, paid ahead'])
      expect(plan).toContain(text)
    expect(await ada.subscription()).toMatchObject({ tier: 'pro', current_period_end: yearBehind(clock()) })
  })

  it('sells the next year of a running one, which begins when that ends, and no other plan', async () => {
    const { signedIn, clock } = await openPages()
    const ada = await signedIn()
    const wallet = await payer()
    const url = await ada.offer()
    await ada.pay(await ada.tab.open(url), url, wallet)
    for (const path of ['/account/plan', '/pricing']) {
      const { body } = await ada.tab.open(path)
      expect([path, body.split(`action="${YEAR_PAGE}"`).length - 1]).toEqual([path, 1])
      expect(body).toContain('<input type="hidden" name="tier" value="pro">')
    }
    const next = await ada.offer()
    const page = await ada.tab.open(next)
    expect(sentencesOf(page)).toContain(`when the current one ends, on ${dayOf(yearBehind(clock()))}`)
    expect((await ada.pay(page, next, wallet)).answer.statusCode).toBe(200)
    expect(await ada.subscription()).toMatchObject({ current_period_end: yearBehind(clock(), 2) })
    const other = await ada.choose('team')
    expect([other.statusCode, other.body.includes('You already have a subscription.')]).toEqual([409, true])
  })

  it('is for the account alone that asked, and takes no other text for an offer', async () => {
    const { signedIn } = await openPages()
    const [ada, bob] = [await signedIn(), await signedIn()]
    const wallet = await payer()
    const url = await ada.offer()
    const page = await ada.tab.open(url)
    for (const asked of [url, `${YEAR_PAGE}?offer=x.y.z`]) {
      expect((await bob.tab.open(asked)).statusCode).toBe(400)
      expect((await bob.pay(page, asked, wallet)).answer.statusCode).toBe(400)
    }
    expect((await ada.tab.open(YEAR_PAGE)).statusCode).toBe(400)
    expect(await spentBy(wallet)).toBe(0n)
  })

  it('takes no payment for a price that has expired, and leads to the current prices', async () => {
    const { signedIn, at, clock } = await openPages()
    const ada = await signedIn()
    const wallet = await payer()
    const url = await ada.offer()
    const page = await ada.tab.open(url)
    await at(clock().getTime() + QUARTER_HOUR, async () => {
      const closed = await ada.tab.open(url)
      expect([closed.statusCode, closed.body.includes('This price has expired.')]).toEqual([400, true])
      expect(closed.body).not.toContain('data-wallet-tier')
      const { answer } = await ada.pay(page, url, wallet)
      expect(answer.statusCode).toBe(400)
      expect(responseOf(answer)).toMatchObject({ success: false, errorReason: 'year_challenge_expired' })
    })
    expect(await spentBy(wallet)).toBe(0n)
    expect(await ada.tier()).toBe('community')
  })

  it('completes a payment whose outcome was unknown, however late, from the page that sent it', async () => {
    const real = localFacilitator({
      network: 'base-sepolia',
      rpcUrl: chain.rpcUrl,
      privateKey: chain.wallets.facilitator.privateKey,
    })
    const begun = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const facilitator: ReturnType<typeof localFacilitator> = {
      ...real,
      async settle(...payment) {
        begun.resolve()
        await held.promise
        return real.settle(...payment)
      },
    }
    const { signedIn, at, clock } = await openPages({ payments: { rails: [railOn({ facilitator })] } })
    const ada = await signedIn()
    const wallet = await payer()
    const url = await ada.offer()
    const required = requiredIn(await ada.tab.open(url))
    const headers = { 'payment-signature': encodeHeader(await signPayment(required.accepts[0], wallet)) }
    const first = ada.tab.open(url, headers)
    await begun.promise
    await at(clock().getTime() + QUARTER_HOUR, async () => {
      const closed = await ada.tab.open(url)
      // The script of the page sends the payment again, so it must be there, and it is not said that nothing was charged.
      expect(closed.body).toContain('id="wallet-sale"')
      expect(closed.body.split('id="wallet-sale"')[0]).not.toContain('Nothing was charged')
      const second = ada.tab.open(url, headers)
      held.resolve()
      expect((await first).statusCode).toBe(200)
      expect([200, 503]).toContain((await second).statusCode)
      const send = async () => (await ada.tab.open(url, headers)).statusCode
      await expect.poll(send, { timeout: 20_000, interval: 200 }).toBe(200)
      expect(leadsTo(await ada.tab.open(url))).toEqual([303, '/account/plan?done=yearPaid'])
    })
    expect([await spentBy(wallet), await ada.tier()]).toEqual([YEAR, 'pro'])
  })

  it('takes one payment of several that are sent concurrently for one offer', async () => {
    const { signedIn } = await openPages()
    const ada = await signedIn()
    const wallet = await payer()
    const url = await ada.offer()
    const required = requiredIn(await ada.tab.open(url))
    const payment = encodeHeader(await signPayment(required.accepts[0], wallet))
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ada.tab.open(url, { 'payment-signature': payment })),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200])
    expect(await spentBy(wallet)).toBe(YEAR)
  })

  it('grants nothing for a payment of another amount, and names the reason', async () => {
    const { signedIn } = await openPages()
    const ada = await signedIn()
    const wallet = await payer()
    const url = await ada.offer()
    const { answer } = await ada.pay(await ada.tab.open(url), url, wallet, { authorization: { value: '1' } })
    expect(answer.statusCode).toBe(402)
    expect(answer.headers['payment-response']).toBeDefined()
    expect([await ada.tier(), await spentBy(wallet)]).toEqual(['community', 0n])
  })

  it('takes nothing by HEAD, and nothing for an API key of the account', async () => {
    const { signedIn, app } = await openPages()
    const ada = await signedIn()
    const wallet = await payer()
    const url = await ada.offer()
    const required = requiredIn(await ada.tab.open(url))
    const headers = { 'payment-signature': encodeHeader(await signPayment(required.accepts[0], wallet)) }
    const head = await app.inject({
      method: 'HEAD',
      url,
      cookies: ada.tab.jar,
      headers: { accept: 'text/html', ...headers },
    })
    expect([head.statusCode, head.body]).toEqual([402, ''])
    const { key } = keyOf(await postKey(app, ada.headers, { scopes: ['read:profiles'] }))
    const byKey = await app.inject({
      url,
      headers: { authorization: `Bearer ${key}`, accept: 'text/html', ...headers },
    })
    expect(leadsTo(byKey)[0]).toBe(303)
    expect([await ada.tier(), await spentBy(wallet)]).toEqual(['community', 0n])
  })

  it('sells nothing to an account with a monthly plan, to other sites, or without a plan', async () => {
    const { signedIn, storage } = await openPages()
    const ada = await signedIn()
    await storage.transaction((tx) => tx.subscriptions.put(monthly(ada.id)))
    expect((await ada.tab.open('/pricing')).body).not.toContain(`action="${YEAR_PAGE}"`)
    const refused = await ada.choose('team')
    expect([refused.statusCode, refused.body.includes('You already have a subscription.')]).toEqual([409, true])
    const foreign = await ada.tab.submit(YEAR_PAGE, { tier: 'pro' }, { origin: 'https://evil.example' })
    expect(foreign.statusCode).toBe(403)
    const unknown = await (await signedIn()).choose('gold')
    expect([unknown.statusCode, unknown.body.includes('Choose a plan')]).toEqual([400, true])
  })
})
