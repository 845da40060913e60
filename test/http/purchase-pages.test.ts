import type { WalletVerifier } from '@eep/core/ports'
import { newPayment, newPurchase, newReceipt, newSettlement } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { PASSWORD, signUp } from '../support/accounts.ts'
import { createCardApp } from '../support/cards.ts'
import { createMailbox } from '../support/mailbox.ts'
import { inputOf, leadsTo, openBrowser, sentencesOf } from '../support/pages.ts'
import { createCashApp, openShop, type Shop } from '../support/shop.ts'

const box = createMailbox()
let test: Awaited<ReturnType<typeof createCardApp>>
let silent: Awaited<ReturnType<typeof createCashApp>>
let shop: Shop

beforeAll(async () => {
  test = await createCardApp({ email: { mailer: box.mailer }, payments: { payerProof: 'signed' } })
  silent = await createCashApp()
  shop = await openShop(test.app, 'purchase-pages', { amount: 5, currency: 'eur', per: 'once' })
})
afterAll(() => Promise.all([test.close(), silent.close()]))

const browser = (headers?: Record<string, string>) => openBrowser(test.app, headers)

/** Buys the notes of the shop in a browser. */
async function buyIn(
  tab: ReturnType<typeof browser>,
  email: string,
  payload: { readonly did: string; readonly resource: string } = { did: shop.did, resource: 'content.notes.engines' },
) {
  const url = '/eep/payment/stripe/checkout-human'
  const opened = await test.app.inject({ method: 'POST', url, payload, cookies: tab.jar })
  expect(opened.statusCode, opened.body).toBe(200)
  const { checkout_id: id } = opened.json()
  test.stripe.completeCheckout(id, email)
  const back = await tab.open(`${url}/${id}`)
  expect(back.statusCode, back.body).toBe(303)
}

/** Takes the email with a link to an address, and returns the path of the link. */
async function linkTo(email: string): Promise<string> {
  const mail = await vi.waitFor(() => {
    const found = box.mails.find(({ to, text }) => to === email && text.includes('/eep/payment/recovery/'))
    if (!found) throw new Error(`no link for ${email}`)
    return found
  }, 60_000)
  return new URL(/https:\S+\/eep\/payment\/recovery\/[\w-]{43}/.exec(mail.text)?.[0] ?? '').pathname
}

describe('the page of the purchases of a visitor', () => {
  it('shows a browser what was bought, and leads to it, to its receipt and to its seller', async () => {
    const tab = browser()
    await buyIn(tab, 'page@example.com')
    const page = await tab.open('/purchases')
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' })
    expect(page.body).toContain(`<a href="${shop.paid}">Open</a>`)
    expect(page.body).toMatch(/<a href="\/purchases\/rcpt_[\w-]+\/receipt\.pdf">Receipt \(PDF\)<\/a>/)
    expect(page.body).toContain(`<a href="/u/purchase-pages">Ask the seller</a>`)
    expect(sentencesOf(page)).toContain('€5.00, paid on')
    expect(page.body).toContain('Open permanently.')
  })

  it('shows the event and the date of a ticket, in the language of the reader', async () => {
    const type_data = { starts_at: '2030-12-26T19:00:00', timezone: 'Europe/Copenhagen' }
    const made = await shop.post('/profiles', {
      profile_type: 'event',
      username: 'gale-night',
      full_name: 'Night of the Gale',
      type_data,
    })
    expect(made.statusCode, made.body).toBe(200)
    const { id: profileId } = (await shop.get('/profiles/e/gale-night')).json()
    const page = { profile_id: profileId, title: 'Your evening', slug: 'evening', body: 'Words', status: 'published' }
    expect((await shop.post('/manage/pages', page)).statusCode).toBe(201)
    const did = 'did:web:profiles.example:e:gale-night'
    const seat = { requirements: [{ type: 'payment', amount: 12, currency: 'eur', per: 'once' }] }
    const gate = {
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['files.*'] },
        seat: { ...seat, access: ['content.evening', 'profile.type_data'] },
      },
    }
    const saved = await shop.put(`/eep/gates/${did}`, gate)
    expect(saved.statusCode, saved.body).toBe(200)
    const tab = browser()
    await buyIn(tab, 'ticket@example.com', { did, resource: 'content.evening' })
    const { body } = await tab.open('/purchases')
    expect(body).toContain('<p><bdi>Night of the Gale</bdi><br><time datetime="2030-12-26T19:00:00+01:00">')
    expect(body).toContain('Thursday, December 26, 2030 at 7:00')
    expect((await tab.open('/purchases', { 'accept-language': 'de' })).body).toContain('Donnerstag, 26. Dezember 2030')
  })

  it.each([
    ['de', 'Ihre Käufe', /5,00\s€, bezahlt am/],
    ['ja', '購入履歴', /€5\.00（\d{4}年/],
    ['ar', 'مشترياتك', /dir="rtl"/],
  ])('is written in %s', async (language, title, price) => {
    const tab = browser({ 'accept-language': language })
    await buyIn(tab, `${language}@example.com`)
    const page = await tab.open('/purchases')
    expect(page.body).toContain(`<h1>${title}</h1>`)
    expect(sentencesOf(page)).toMatch(price)
  })

  it('shows that a purchase was refunded, and does not offer to open it', async () => {
    const tab = browser()
    await buyIn(tab, 'refund@example.com')
    const list = await test.app.inject({ url: '/purchases', cookies: tab.jar })
    const { receipt_id: id } = list.json().data[0]
    expect((await shop.post(`/eep/payment/receipts/${id}/refund`, {})).statusCode).toBe(200)
    const { body } = await tab.open('/purchases')
    expect(sentencesOf({ body })).toMatch(/Refunded on \w+ \d+, \d{4}\./)
    expect(body).not.toContain('>Open</a>')
  })

  it('shows an account its purchases in pages, and hides them from others', async () => {
    const { account } = await signUp(test.app)
    const receipts = [1, 2, 3].map(() => newReceipt({ payerAccountId: account.id, issuedAt: new Date() }))
    await test.storage.transaction(async (tx) => {
      for (const receipt of receipts) {
        const payment = newPayment({ purchase: newPurchase({ profileId: shop.profileId }) })
        await tx.payments.claim(payment, 60_000)
        await tx.payments.settle(payment.id, { receiptId: receipt.receiptId, settlement: newSettlement() })
        await tx.receipts.insert(receipt)
      }
    })
    const tab = browser()
    await tab.submit('/login', { email: account.email, password: PASSWORD })
    const first = await tab.open('/purchases?limit=2')
    const shownIn = (body: string) => [...body.matchAll(/rcpt_[\w-]+(?=\/receipt\.pdf)/g)].map(([id]) => id)
    const next = /<a rel="next" href="([^"]+)">/.exec(first.body)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const second = await tab.open(next)
    expect(new Set([...shownIn(first.body), ...shownIn(second.body)])).toEqual(
      new Set(receipts.map(({ receiptId }) => receiptId)),
    )
    expect(second.body).not.toContain('rel="next"')
    expect((await tab.open('/purchases?cursor=x')).statusCode).toBe(400)
    const other = await signUp(test.app)
    const stranger = browser()
    await stranger.submit('/login', { email: other.account.email, password: PASSWORD })
    expect((await stranger.open('/purchases')).body).toContain('You have not bought anything.')
  })

  it('gives JSON to clients that prefer it or have no preference', async () => {
    const tab = browser()
    await buyIn(tab, 'json-client@example.com')
    for (const accept of ['application/json', '*/*', 'application/json, text/html;q=0.9']) {
      const { headers, statusCode } = await tab.open('/purchases', { accept })
      expect([statusCode, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    }
    const refused = await browser().open('/purchases', { accept: 'application/json' })
    expect([refused.statusCode, refused.json().error.code]).toEqual([401, 'purchases_unproven'])
  })
})

describe('the page of a visitor who proved nothing', () => {
  it('offers an emailed link and the sign-in, which leads back', async () => {
    const page = await browser().open('/purchases')
    expect(page.statusCode).toBe(200)
    expect(page.headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' })
    expect(inputOf(page, 'email')).toContain('autocomplete="email"')
    expect(page.body).toContain('href="/login?next=%2Fpurchases"')
  })

  it('sends a link that opens the purchases in another browser', async () => {
    await buyIn(browser(), 'link@example.com')
    const tab = browser()
    expect(leadsTo(await tab.submit('/purchases', { email: 'link@example.com' }))).toEqual([
      303,
      '/purchases?done=sent',
    ])
    expect((await tab.open('/purchases?done=sent')).body).toContain('an email with a link is on its way')
    const link = await linkTo('link@example.com')
    expect((await tab.open(link)).body).toContain('Open my purchases')
    expect(leadsTo(await tab.submit(link, {}))).toEqual([303, '/purchases?done=recovered'])
    const list = await tab.open('/purchases?done=recovered')
    expect(list.body).toContain('Your purchases are available in this browser again.')
    expect(list.body).toContain(`<a href="${shop.paid}">Open</a>`)
    const again = await browser().submit(link, {})
    expect([again.statusCode, again.body.includes('href="/purchases"')]).toEqual([400, true])
  })

  it('answers the same whether or not there are purchases', async () => {
    await buyIn(browser(), 'known@example.com')
    const answers = await Promise.all(
      ['known@example.com', 'unknown@example.com'].map((email) => browser().submit('/purchases', { email })),
    )
    const told = answers.map(({ statusCode, headers, body }) => [statusCode, headers.location, body])
    expect(told[0]).toEqual([303, '/purchases?done=sent', ''])
    expect(told[1]).toEqual(told[0])
  })

  it.each(['', 'x', 'a@', `${'a'.repeat(300)}@example.com`, '\u0000@example.com', '"><script>'])(
    'explains what is wrong with the address %j',
    async (email) => {
      const page = await browser().submit('/purchases', { email })
      expect(page.statusCode).toBe(400)
      expect(page.body).toContain('<title>Problem: Your purchases')
      expect(inputOf(page, 'email')).toContain('aria-invalid="true"')
      expect(page.body).not.toContain('"><script>')
    },
  )

  it('refuses the form of another site', async () => {
    const refused = await browser().submit('/purchases', { email: 'a@example.com' }, { origin: 'https://evil.example' })
    expect(refused.statusCode).toBe(403)
  })

  it('has no form where the service sends no email', async () => {
    const tab = openBrowser(silent.app)
    expect((await tab.open('/purchases')).body).not.toContain('name="email"')
    expect((await tab.submit('/purchases', { email: 'a@example.com' })).statusCode).toBe(503)
  })
})

describe('the proof of a wallet on the page of purchases', () => {
  const verifier: WalletVerifier = { chainIds: [84_532], verify: async () => true }

  it('is offered to browsers where wallets can be proven', async () => {
    const other = await createCashApp({ auth: { walletVerifier: verifier } })
    const { body, headers } = await openBrowser(other.app).open('/purchases')
    expect(body).toContain('data-wallet-proof')
    expect(body).toContain('"url":"/eep/payment/recovery/wallet"')
    expect(headers['content-security-policy']).toContain(
      "script-src https://profiles.example/assets/pages.js; connect-src 'self'",
    )
    await other.close()
  })

  it('is left to programs while wallets sign for the pages of a frontend, because wallets warn of other sites', async () => {
    const other = await createCashApp({
      auth: { walletVerifier: verifier },
      frontendUrl: 'https://www.profiles.example',
    })
    const { body } = await openBrowser(other.app).open('/purchases')
    expect(body).not.toContain('data-wallet-proof')
    expect(body).toContain('POST /eep/payment/recovery/wallet/nonce')
    await other.close()
  })

  it('needs no script where wallets cannot be proven', async () => {
    const { body, headers } = await browser().open('/purchases')
    expect(body).not.toContain('data-wallet-proof')
    expect(headers['content-security-policy']).not.toContain('script-src')
  })
})
