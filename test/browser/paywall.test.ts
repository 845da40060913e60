import { type Facilitator, x402Rail } from '@eep/payments-x402'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeViolations } from '../support/axe.ts'
import { createCardApp } from '../support/cards.ts'
import { openAddress, openTab, tabTo, widthOf } from '../support/checkout-browser.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { createMailbox, recoveryLinkIn } from '../support/mailbox.ts'
import { openShop, SECRET_WORD, type Shop } from '../support/shop.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'
/** Offers are made without calls to the facilitator. */
const unusedFacilitator: Facilitator = {
  verify: () => Promise.reject(new Error('not asked')),
  settle: () => Promise.reject(new Error('not asked')),
  getSupported: () => Promise.reject(new Error('not asked')),
}
const stablecoins = x402Rail({
  network: 'base-sepolia',
  payTo: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  facilitator: unusedFacilitator,
})

const HASH = `sha256:${'0'.repeat(64)}`
/** One of each kind that a person meets without paying. */
const REQUIREMENTS = [
  { type: 'trust', min_score: 90 },
  { type: 'identity', method: 'email_verified' },
  { type: 'connection', relation: 'follower' },
  { type: 'credential', credential_type: 'MembershipCredential' },
  { type: 'capability', required_capabilities: ['cite'] },
  { type: 'allowlist', dids: ['did:web:profiles.example:u:herschel'] },
  { type: 'reciprocal', access_level: 'partner' },
  {
    type: 'data_request',
    requested_claims: [{ claim: 'email', purpose: 'dpv:Marketing', retention_days: 30 }],
    policy_url: 'https://policy.example',
  },
  { type: 'agreement', document_hash: HASH, document_url: 'https://terms.example', document_title: 'Terms' },
  {
    type: 'combined',
    combine_mode: 'any',
    requirements: [
      { type: 'trust', min_score: 95 },
      { type: 'identity', method: 'kyc' },
    ],
  },
]
const PRICE = { type: 'payment', amount: 5, currency: 'eur', per: 'month' }

const WITHOUT_SCRIPT = { javaScriptEnabled: false, locale: 'en-GB' }

describe.skipIf(chromiumPath === undefined)(`paying by card at the paywall (${where})`, () => {
  const mailbox = createMailbox()
  let address: Awaited<ReturnType<typeof openAddress>>
  let test: Awaited<ReturnType<typeof createCardApp>>
  let browser: Browser
  let shop: Shop
  beforeAll(async () => {
    address = await openAddress()
    test = await createCardApp({ publicUrl: address.url, email: { mailer: mailbox.mailer } }, {}, [stablecoins])
    shop = await openShop(test.app, 'card-shop', { amount: 5, currency: 'eur', per: 'month' })
    address.serve(await test.app.listen({ port: 0, host: '127.0.0.1' }))
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await test.close()
    await address.close()
  })

  const charged = () => test.stripe.charges().length
  const opened = () => test.stripe.calls.filter((call) => call === 'POST /v1/checkout/sessions').length

  it('buys a page without script, and confirms the purchase once', async () => {
    const { page, troubles, close } = await openTab(browser, WITHOUT_SCRIPT)
    const before = charged()
    const answer = await page.goto(`${address.url}${shop.paid}`)
    expect(answer?.status()).toBe(402)
    expect(await page.locator('.amount bdi').isVisible()).toBe(true)
    expect(await page.getByText('for one month').isVisible()).toBe(true)
    expect(await page.getByText('A taste of it.').isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Pay €5.00 by card', exact: true }).click()
    expect(new URL(page.url()).origin).toBe(test.stripe.url)
    await page.getByRole('button', { name: 'Pay' }).click()
    expect(new URL(page.url()).pathname).toBe(shop.paid)
    expect(await page.getByText(SECRET_WORD).isVisible()).toBe(true)
    const notice = page.getByRole('status')
    expect(await notice.textContent()).toMatch(
      /You bought Engines for €5\.00\. Access until .*\sReceipt number: rcpt_/s,
    )
    expect(charged()).toBe(before + 1)
    const confirmed = await page.goto(page.url())
    expect([confirmed?.status(), await page.getByRole('status').count()]).toEqual([200, 0])
    expect(await page.getByText(SECRET_WORD).isVisible()).toBe(true)
    expect(troubles).toEqual([])
    await close()
  })

  it('opens what was bought, and its receipt, on a second browser by an emailed link, with the keyboard alone', async () => {
    const email = 'lovelace@example.com'
    const first = await openTab(browser, WITHOUT_SCRIPT)
    await first.page.goto(`${address.url}${shop.paid}`)
    await first.page.getByRole('button', { name: / by card$/ }).click()
    await first.page.getByLabel('Email').fill(email)
    await first.page.getByRole('button', { name: 'Pay' }).click()
    await first.page.getByText(SECRET_WORD).waitFor()
    await first.close()

    const { context, page, troubles, close } = await openTab(browser, { locale: 'en-GB' })
    expect((await page.goto(`${address.url}${shop.paid}`))?.status()).toBe(402)
    await page.goto(`${address.url}/purchases`)
    await tabTo(page, page.getByLabel('Email address'))
    await page.keyboard.type(email)
    await page.keyboard.press('Enter')
    await page.getByText('an email with a link is on its way').waitFor()
    await page.goto(recoveryLinkIn(await mailbox.take(email, 'recovery')))
    await tabTo(page, page.getByRole('button', { name: 'Open my purchases' }))
    await page.keyboard.press('Enter')
    await page.getByText('Your purchases are available in this browser again.').waitFor()
    const receipt = await page.getByRole('link', { name: 'Receipt (PDF)' }).getAttribute('href')
    const pdf = await context.request.get(new URL(receipt ?? '', address.url).href)
    expect([pdf.status(), pdf.headers()['content-type']]).toEqual([200, 'application/pdf'])
    expect((await pdf.body()).subarray(0, 5).toString()).toBe('%PDF-')
    await tabTo(page, page.getByRole('link', { name: 'Open', exact: true }))
    await page.keyboard.press('Enter')
    await page.getByText(SECRET_WORD).waitFor()
    expect(troubles).toEqual([])
    await close()
  })

  it('opens one checkout for a form that is sent twice, and for a later visit of the same browser', async () => {
    const { context, page, close } = await openTab(browser, { locale: 'en-GB' })
    await page.goto(`${address.url}${shop.paid}`)
    const before = opened()
    const form = await page.evaluate<Record<string, string>>(
      `Object.fromEntries(new FormData(document.querySelector('form[action$="checkout-form"]')))`,
    )
    const send = () =>
      context.request.post(`${address.url}/eep/payment/stripe/checkout-form`, {
        form,
        headers: { origin: address.url },
        maxRedirects: 0,
      })
    const answers = await Promise.all([send(), send(), send()])
    expect(answers.map((each) => each.status())).toEqual([303, 303, 303])
    expect(new Set(answers.map((each) => each.headers().location)).size).toBe(1)
    await page.goto(`${address.url}${shop.paid}`)
    await page.getByRole('button', { name: / by card$/ }).click()
    expect(page.url()).toBe(answers[0]?.headers().location)
    // Pages that lost the race were closed immediately.
    const closed = test.stripe.calls.filter((call) => call.endsWith('/expire')).length
    expect(opened() - before - closed).toBe(1)
    await close()
  })

  it('shows what to do after cancelling, and does not take a second payment after the first', async () => {
    const { page, troubles, close } = await openTab(browser, WITHOUT_SCRIPT)
    await page.goto(`${address.url}${shop.paid}`)
    await page.getByRole('button', { name: / by card$/ }).click()
    const checkout = page.url()
    await page.getByRole('link', { name: 'Cancel' }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Payment cancelled')
    await page.getByRole('link', { name: 'Back to the page' }).click()
    expect(new URL(page.url()).pathname).toBe(shop.paid)
    // It is paid in another tab, which is closed before it returns.
    test.stripe.completeCheckout(new URL(checkout).pathname.split('/').at(-1) ?? '')
    const before = opened()
    await page.getByRole('button', { name: / by card$/ }).click()
    expect(new URL(page.url()).pathname).toBe(shop.paid)
    expect(await page.getByText(SECRET_WORD).isVisible()).toBe(true)
    expect(opened()).toBe(before)
    expect(troubles).toEqual([])
    await close()
  })

  it('has a page for an open, an expired, an unknown and a foreign checkout', async () => {
    const { page, close } = await openTab(browser, WITHOUT_SCRIPT)
    await page.goto(`${address.url}${shop.other}`)
    await page.getByRole('button', { name: / by card$/ }).click()
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    const back = `${address.url}/eep/payment/stripe/checkout-human/${id}`
    const headline = async (url: string) => {
      const answer = await page.goto(url)
      expect(answer?.headers()['cache-control']).toBe('private, no-store')
      return [answer?.status(), await page.getByRole('heading', { level: 1 }).textContent()]
    }
    expect(await headline(back)).toEqual([200, 'Not paid yet'])
    expect(await page.getByRole('link', { name: 'Finish the payment' }).getAttribute('href')).toContain(id)
    test.stripe.failNext(/GET .*sessions/, 'error_before')
    expect(await headline(back)).toEqual([503, 'The outcome of your payment is not known yet'])
    expect(await page.getByRole('link', { name: 'Check again' }).isVisible()).toBe(true)
    // Nothing on the page leads to another payment.
    expect(await page.locator('main').getByRole('link').count()).toBe(1)
    expect(await page.locator('main form').count()).toBe(0)
    test.stripe.expireCheckout(id)
    expect(await headline(back)).toEqual([200, 'The payment page has expired'])
    expect(await headline(`${back}0`)).toEqual([404, 'We can’t find this payment'])
    await close()
  })

  it('opens no checkout while the outcome of the last one is unknown', async () => {
    const { page, close } = await openTab(browser, WITHOUT_SCRIPT)
    await page.goto(`${address.url}${shop.other}`)
    await page.getByRole('button', { name: / by card$/ }).click()
    await page.goto(`${address.url}${shop.other}`)
    const before = opened()
    test.stripe.failNext(/GET .*sessions/, 'error_before')
    await page.getByRole('button', { name: / by card$/ }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
      'The outcome of your payment is not known yet',
    )
    expect(opened()).toBe(before)
    await close()
  })

  it.each(['en-GB', 'de', 'ja', 'ar'])(
    'is accessible, fits a narrow screen, and works by keyboard (%s)',
    async (locale) => {
      const viewport = { width: 320, height: 640 }
      const { page, troubles, close } = await openTab(browser, { viewport, locale })
      await page.goto(`${address.url}${shop.paid}`)
      expect(await widthOf(page)).toBeLessThanOrEqual(320)
      expect(await axeViolations(page, locale === 'en-GB' ? 'all' : 'texts')).toEqual([])
      await tabTo(page, page.locator('form[action$="checkout-form"] button'))
      await page.keyboard.press('Enter')
      await page.waitForURL(`${test.stripe.url}/**`)
      expect(troubles).toEqual([])
      await close()
    },
  )

  /** Replaces the gate of the shop whose pages are read for accessibility. */
  async function closeGate(closed: Shop, requirements: readonly object[], access = ['content.*']): Promise<void> {
    const open = access.includes('profile.*') ? ['files.*'] : ['profile.*']
    const tiers = {
      public: { requirements: [], access: open },
      reader: { label: 'Reader', description: 'For readers.', requirements, access },
    }
    const gate = await closed.put(`/eep/gates/${closed.did.replaceAll('%', '%25')}`, {
      default_tier: 'public',
      tiers,
      allow: 'unpayable',
    })
    expect(gate.statusCode, gate.body).toBe(200)
  }

  it('lets a person choose one of several prices, with one button that names the chosen amount', async () => {
    const seller = await openShop(test.app, 'choice-shop')
    const tier = (label: string, amount: number, currency: string, per: string) => ({
      label,
      requirements: [{ type: 'payment', amount, currency, per }],
      access: ['content.notes.*'],
    })
    const gate = await seller.put(`/eep/gates/${seller.did.replaceAll('%', '%25')}`, {
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['profile.*'] },
        note: tier('Just this', 0.75, 'usdc', 'day'),
        reader: tier('Reader', 5, 'usd', 'month'),
        patron: tier('Patron', 49.5, 'eur', 'once'),
      },
    })
    expect(gate.statusCode, gate.body).toBe(200)
    const { page, troubles, close } = await openTab(browser, { locale: 'en-GB' })
    await page.goto(`${address.url}${seller.paid}`)
    const buttons = () => page.locator('.choice button span:visible').allTextContents()
    expect(await page.getByRole('radio', { name: /Reader/ }).isChecked()).toBe(true)
    expect(await buttons()).toEqual(['Pay $5.00 by card', 'Pay $5.00 with a wallet'])
    await page.getByText('Patron').click()
    expect(await buttons()).toEqual(['Pay €49.50 by card'])
    await page.getByText('Just this').click()
    expect(await buttons()).toEqual(['Pay 0.75 USDC with a wallet'])
    expect(await axeViolations(page)).toEqual([])
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await widthOf(page)).toBeLessThanOrEqual(width)
    }
    expect(troubles).toEqual([])
    await close()

    const still = await openTab(browser, WITHOUT_SCRIPT)
    await still.page.goto(`${address.url}${seller.paid}`)
    await still.page.getByText('Patron').click()
    await still.page.getByRole('button', { name: 'Pay €49.50 by card' }).click()
    expect(new URL(still.page.url()).origin).toBe(test.stripe.url)
    await still.page.getByRole('button', { name: 'Pay' }).click()
    expect(await still.page.getByText(SECRET_WORD).isVisible()).toBe(true)
    await still.close()
  })

  it('passes the rules of axe-core in every state of the paywall', async () => {
    const closed = await openShop(test.app, 'axe-shop')
    const { page, troubles, close } = await openTab(browser, { locale: 'en-GB' })
    const pay = (currency: string, amount = 5) => ({ ...PRICE, amount, currency })
    const byCard = page.getByRole('button', { name: / by card$/ })
    const byWallet = page.getByRole('button', { name: 'Pay with a wallet' })
    const read = async (requirements: readonly object[], access?: string[]) => {
      await closeGate(closed, requirements, access)
      const answer = await page.goto(`${address.url}${access ? closed.profile : closed.paid}`)
      const violations = await axeViolations(page)
      return [answer?.status(), await byCard.count(), await byWallet.count(), violations]
    }
    expect(await read([pay('eur')])).toEqual([402, 1, 0, []])
    expect(await read([pay('usdc')])).toEqual([402, 0, 1, []])
    expect(await read([pay('usd')])).toEqual([402, 1, 1, []])
    await byWallet.click()
    await page.locator('[data-state="noWallet"]').waitFor()
    const besideButton = `document.querySelector('[data-wallet-status]').previousElementSibling.contains(document.querySelector('[data-wallet-tier]'))`
    expect(await page.evaluate(besideButton)).toBe(true)
    expect(await axeViolations(page)).toEqual([])
    expect(await read([pay('eur', 0.01)])).toEqual([402, 0, 0, []])
    expect(await page.getByText('no payment method is available').isVisible()).toBe(true)
    expect(await read([pay('usd'), ...REQUIREMENTS.slice(0, 9)])).toEqual([403, 0, 0, []])
    expect(await read(REQUIREMENTS)).toEqual([403, 0, 0, []])
    expect(await page.getByRole('link', { name: 'Terms' }).isVisible()).toBe(true)
    expect(await read([pay('usd')], ['profile.*', 'content.*'])).toEqual([402, 1, 1, []])
    await page.setExtraHTTPHeaders({ 'payment-signature': btoa('{}') })
    expect(await read([pay('usd')])).toEqual([402, 1, 1, []])
    expect(await page.title()).toMatch(/^Problem: /)
    expect(troubles).toEqual([])
    await close()
  }, 60_000)

  it('passes the rules of axe-core in every state of a checkout, and above the page that was bought', async () => {
    const { page, troubles, close } = await openTab(browser, { locale: 'en-GB' })
    const headline = async () => [
      await page.getByRole('heading', { level: 1 }).textContent(),
      await axeViolations(page),
    ]
    const pay = () => page.getByRole('button', { name: / by card$/ }).click()
    await page.goto(`${address.url}${shop.other}`)
    test.stripe.failNext(/POST .*sessions/, 'error_before')
    await pay()
    expect(await headline()).toEqual(['The payment page cannot be opened right now', []])
    await page.goto(`${address.url}${shop.other}`)
    await pay()
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    const back = `${address.url}/eep/payment/stripe/checkout-human/${id}`
    await page.goto(back)
    expect(await headline()).toEqual(['Not paid yet', []])
    await page.getByRole('link', { name: 'Finish the payment' }).click()
    await page.getByRole('link', { name: 'Cancel' }).click()
    expect(await headline()).toEqual(['Payment cancelled', []])
    test.stripe.failNext(/GET .*sessions/, 'error_before')
    await page.goto(back)
    expect(await headline()).toEqual(['The outcome of your payment is not known yet', []])
    test.stripe.expireCheckout(id)
    await page.goto(back)
    expect(await headline()).toEqual(['The payment page has expired', []])
    await page.goto(`${back}0`)
    expect(await headline()).toEqual(['We can’t find this payment', []])
    await page.goto(`${address.url}${shop.other}`)
    await pay()
    await page.getByRole('button', { name: 'Pay' }).click()
    expect(await page.getByRole('status').count()).toBe(1)
    expect(await headline()).toEqual(['Looms', []])
    expect(troubles).toEqual([])
    await close()
  }, 60_000)
})
