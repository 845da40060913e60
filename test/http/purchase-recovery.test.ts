import type { Storage } from '@eep/core/ports'
import { eraseAccount } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { openStorage, type TestApp } from '../support/app.ts'
import { createCardApp } from '../support/cards.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { createMailbox, type Mailbox } from '../support/mailbox.ts'
import { openShop, SECRET_WORD, type Shop } from '../support/shop.ts'
import { soon } from '../support/wait.ts'

type Test = Awaited<ReturnType<typeof createCardApp>>
type Jar = Record<string, string>

const ROOT = '/eep/payment/recovery'
const time = createClock()
const box = createMailbox()
let test: Test
let shop: Shop
let other: Shop
let lastCheckout = ''

const PRICE = { amount: 5, currency: 'eur', per: 'once' }

beforeAll(async () => {
  test = await createCardApp({ email: { mailer: box.mailer }, payments: { payerProof: 'signed' }, clock: time.clock })
  shop = await openShop(test.app, 'recovery-seller', PRICE)
  other = await openShop(test.app, 'recovery-other', PRICE)
})
afterAll(() => test.close())

const jarOf = ({ cookies }: { cookies: readonly { name: string; value: string }[] }): Jar =>
  Object.fromEntries(cookies.map(({ name, value }) => [name, value]))

/** Buys the notes of a shop on a page of Stripe's, in a browser that starts with these cookies. */
async function buy(email: string | undefined, { did }: Shop = shop, { test: on = test, cookies = {} as Jar } = {}) {
  const payload = { did, resource: 'content.notes.engines' }
  const opened = await on.app.inject({ method: 'POST', url: '/eep/payment/stripe/checkout-human', payload, cookies })
  expect(opened.statusCode, opened.body).toBe(200)
  const { checkout_id: id } = opened.json()
  lastCheckout = id
  on.stripe.completeCheckout(id, email)
  const back = await on.app.inject({ url: `/eep/payment/stripe/checkout-human/${id}`, cookies })
  expect(back.statusCode, back.body).toBe(303)
  return { ...cookies, ...jarOf(back) }
}

const read = (cookies: Jar, { paid }: Shop = shop, app: TestApp = test.app) => app.inject({ url: paid, cookies })
const ask = (email: string, app: TestApp = test.app) => client(app).post(ROOT, { email })
const use = (link: string, headers: Jar = {}, app: TestApp = test.app) => client(app).with(headers).post(link)

const isAbout = /^What you bought at/

/** Takes the oldest email to an address, and returns the path of its link. */
async function linkTo(email: string, from: Mailbox = box): Promise<string> {
  const mail = await vi.waitFor(() => {
    const index = from.mails.findIndex(({ to, subject }) => to === email && isAbout.test(subject))
    if (index < 0) throw new Error(`no link for ${email}`)
    return from.mails.splice(index, 1)[0]
  }, 60_000)
  const [link] = /https:\/\/profiles\.example\/eep\/payment\/recovery\/[\w-]{43}/.exec(mail?.text ?? '') ?? []
  if (!link) throw new Error(`no link in: ${mail?.text}`)
  return new URL(link).pathname
}

/** The addresses of all links that were mailed once everything asked for is done. */
async function mailedTo(): Promise<readonly string[]> {
  await new Promise((resolve) => setTimeout(resolve, 600))
  return box.mails.filter(({ subject }) => isAbout.test(subject)).map(({ to }) => to)
}

const lastPayment = () => test.storage.read.payments.get({ rail: 'stripe-mpp', credentialId: lastCheckout })
const lastReceipt = async () => (await lastPayment())?.receiptId ?? ''

describe('a buyer who lost the payer cookie', () => {
  it('reads every purchase again after using the link in another browser', async () => {
    const first = await buy('Buyer@Example.com')
    expect((await read(first)).body).toContain(SECRET_WORD)
    await buy('buyer@example.com', other)
    expect((await read({})).statusCode).toBe(402)

    const asked = await ask('BUYER@example.com')
    expect([asked.statusCode, asked.json()]).toEqual([
      202,
      { message: 'If this address has valid purchases, a link was sent to it' },
    ])
    const link = await linkTo('buyer@example.com')

    // A program that only opens the link leaves it as it is.
    for (let times = 0; times < 2; times++) {
      const page = await client(test.app).get(link, { accept: 'text/html' })
      expect([page.statusCode, page.cookies, page.headers['cache-control']]).toEqual([200, [], 'private, no-store'])
      expect(page.body).toContain('<form method="post">')
      expect(page.headers['content-security-policy']).toContain("form-action 'self'")
    }

    const used = await use(link, { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' })
    expect([used.statusCode, used.headers.location]).toEqual([303, '/purchases?done=recovered'])
    expect(used.cookies).toEqual([
      expect.objectContaining({ name: 'eep_payer', httpOnly: true, sameSite: 'Lax' }),
      expect.objectContaining({ name: '__Host-eep_payer_sig', httpOnly: true, sameSite: 'Lax' }),
      expect.objectContaining({ name: '__Host-eep_purchases', httpOnly: true, sameSite: 'Lax' }),
    ])
    const jar = jarOf(used)
    for (const each of [shop, other]) {
      const again = await read(jar, each)
      expect([again.statusCode, again.body.includes(SECRET_WORD)]).toEqual([200, true])
      // Reads renew the cookie, as they do for every payer.
      expect(jarOf(again).eep_payer).toBe(jar.eep_payer)
    }
    expect((await read(first)).statusCode).toBe(200)
  })

  it('gets the list of purchases as JSON', async () => {
    await buy('json@example.com')
    await ask('json@example.com')
    const used = await use(await linkTo('json@example.com'))
    expect([used.statusCode, used.json()]).toEqual([
      200,
      {
        purchases: [
          {
            receipt_id: await lastReceipt(),
            seller: shop.did,
            resource: 'content.notes.engines',
            tier: 'reader',
            url: `https://profiles.example${shop.paid}`,
            valid_until: null,
          },
        ],
      },
    ])
  })

  it('keeps the recovered cookie when buying more with the same address', async () => {
    await buy('more@example.com')
    await ask('more@example.com')
    const jar = jarOf(await use(await linkTo('more@example.com')))
    const after = await buy('more@example.com', other, { cookies: jar })
    expect(after.eep_payer).toBe(jar.eep_payer)
    for (const each of [shop, other]) expect((await read(after, each)).statusCode).toBe(200)
    // A purchase under another address belongs to its own payer.
    const third = await openShop(test.app, 'recovery-third', PRICE)
    const others = await buy('less@example.com', third, { cookies: jar })
    expect(others.eep_payer).toMatch(/^card_/)
    expect((await read(jar, third)).statusCode).toBe(402)
  })
})

describe('the confirmation of a purchase', () => {
  const html = { accept: 'text/html' }

  it('is shown to a buyer who keeps a recovered cookie, and only with a cookie that the service signed', async () => {
    await buy('notice@example.com')
    await ask('notice@example.com')
    const jar = jarOf(await use(await linkTo('notice@example.com')))
    const payload = { did: other.did, resource: 'content.notes.engines' }
    const opened = await test.app.inject({ method: 'POST', url: '/eep/payment/stripe/checkout-human', payload })
    const { checkout_id: id } = opened.json()
    test.stripe.completeCheckout(id, 'notice@example.com')
    const url = `/eep/payment/stripe/checkout-human/${id}`
    const back = await test.app.inject({ url, cookies: jar, headers: html })
    const cookies = { ...jar, ...jarOf(back) }
    const show = (notice: string) =>
      test.app.inject({ url: other.paid, cookies: { ...cookies, '__Host-eep_purchase': notice }, headers: html })
    const signed = cookies['__Host-eep_purchase'] ?? ''
    expect((await show(signed)).body).toContain('You bought <bdi>Engines</bdi>')
    expect((await show(signed.split('.')[0] ?? '')).body).not.toContain('You bought <bdi>Engines</bdi>')
  })
})

describe('a link', () => {
  it('works once, and until it expires', async () => {
    await buy('once@example.com')
    await ask('once@example.com')
    const link = await linkTo('once@example.com')
    expect((await use(link)).statusCode).toBe(200)
    const again = await use(link)
    expect([again.statusCode, again.json().error.code, again.cookies]).toEqual([400, 'invalid_or_expired_token', []])
    const page = await use(link, { accept: 'text/html' })
    expect([page.statusCode, page.cookies, page.body.includes('This link does not work')]).toEqual([400, [], true])

    // Expiry is judged by the clock of the database, so the link was made sixteen minutes ago.
    await time.at(Date.now() - 16 * 60_000, async () => {
      await ask('once@example.com')
      const late = await use(await linkTo('once@example.com'))
      expect([late.statusCode, late.json().error.code, late.cookies]).toEqual([400, 'invalid_or_expired_token', []])
    })
  })

  it.each(['x', 'a'.repeat(43), 'a'.repeat(64), 'a'.repeat(65), '%00', 'é'])(
    'grants nothing for a link with the secret %j',
    async (secret) => {
      const { statusCode, cookies } = await use(`${ROOT}/${encodeURIComponent(secret)}`)
      expect([statusCode, cookies]).toEqual([400, []])
    },
  )

  it('does not accept a form of another site', async () => {
    await buy('foreign@example.com')
    await ask('foreign@example.com')
    const link = await linkTo('foreign@example.com')
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const refused = await use(link, headers as Jar)
      expect([refused.statusCode, refused.json().error.code, refused.cookies]).toEqual([403, 'csrf', []])
    }
    const own = await use(link, { origin: 'https://profiles.example', 'sec-fetch-site': 'same-origin' })
    expect(own.statusCode).toBe(200)
  })

  it('gives the cookie to exactly one of two requests that overlap', async () => {
    const mails = createMailbox()
    const database = await openStorage()
    const held = Promise.withResolvers<void>()
    const consumed = Promise.withResolvers<void>()
    let holds = false
    const storage: Storage = {
      ...database.storage,
      transaction: (work) =>
        database.storage.transaction((tx) => {
          const consume: typeof tx.tokens.consume = async (token) => {
            const found = await tx.tokens.consume(token)
            if (holds && found) {
              consumed.resolve()
              await held.promise
            }
            return found
          }
          return work({ ...tx, tokens: { ...tx.tokens, consume } })
        }),
    }
    const own = await createCardApp({ storage, email: { mailer: mails.mailer }, payments: { payerProof: 'signed' } })
    const seller = await openShop(own.app, 'recovery-race', PRICE)
    await buy('race@example.com', seller, { test: own })
    await ask('race@example.com', own.app)
    const link = await linkTo('race@example.com', mails)
    holds = true
    const first = use(link, {}, own.app)
    await consumed.promise
    const second = use(link, {}, own.app)
    held.resolve()
    const answers = await Promise.all([first, second])
    expect(answers.map(({ statusCode, cookies }) => [statusCode, cookies.length])).toEqual([
      [200, 3],
      [400, 0],
    ])
    await own.close()
    await database.close()
  })
})

describe('the privacy of the purchases of an email address', () => {
  it('responds the same for every address, and sends an email to buyers only', async () => {
    await buy('silent@example.com')
    await signUp(test.app, 'recovery-account')
    const addresses = ['silent@example.com', 'other@example.com', 'recovery-account@example.com']
    const answers = await Promise.all(addresses.map((email) => ask(email)))
    const [known, ...unknown] = answers.map(({ statusCode, body, headers }) => {
      const same = Object.entries(headers).filter(([name]) => !/^date$|^x-request-id$|ratelimit/.test(name))
      return { statusCode, body, same }
    })
    for (const answer of unknown) expect(answer).toEqual(known)
    const mailed = await mailedTo()
    expect(mailed).toEqual(['silent@example.com'])
    await linkTo('silent@example.com')
  })

  it('rejects a malformed email address', async () => {
    for (const email of ['', 'invalid', 'a@b', `\u212Aate@example.com`, `${'a'.repeat(250)}@example.com`]) {
      expect((await ask(email)).statusCode, email).toBe(400)
    }
    const more = await client(test.app).post(ROOT, { email: 'a@b.example', more: 1 })
    expect(more.statusCode).toBe(400)
  })

  it('gives no access to a client that names the payer without its signature', async () => {
    const mails = createMailbox()
    const lookup = await createCardApp({ email: { mailer: mails.mailer }, payments: { payerProof: 'lookup' } })
    const seller = await openShop(lookup.app, 'recovery-lookup', PRICE)
    await buy('lookup@example.com', seller, { test: lookup })
    await ask('lookup@example.com', lookup.app)
    const used = await use(await linkTo('lookup@example.com', mails), {}, lookup.app)
    const jar = jarOf(used)
    expect((await read(jar, seller, lookup.app)).statusCode).toBe(200)
    const { eep_payer: payer = '', '__Host-eep_payer_sig': sig = '' } = jar
    expect((await read({ eep_payer: payer }, seller, lookup.app)).statusCode).toBe(402)
    expect((await read({ eep_payer: payer, '__Host-eep_payer_sig': `${sig}x` }, seller, lookup.app)).statusCode).toBe(
      402,
    )
    const [wallet = '', network = ''] = decodeURIComponent(payer).split('|')
    const named = await client(lookup.app).get(seller.paid, {
      'x-eep-payer-wallet': wallet,
      'x-eep-payer-network': network,
    })
    expect([network, named.statusCode]).toEqual(['eep:buyer', 402])
    const gift = await seller.post('/manage/entitlements', {
      profile_id: seller.profileId,
      payer_wallet: wallet,
      payer_network: network,
      tier: 'reader',
    })
    expect(gift.statusCode).toBe(400)
    await lookup.close()
  })

  it('keeps the address out of the database and the sales of the seller', async () => {
    await buy('hidden@example.com')
    const books = await shop.get(`/manage/entitlements?profile_id=${shop.profileId}`)
    expect(books.statusCode).toBe(200)
    expect(books.body).not.toMatch(/hidden@|buyer/)
    const { items } = await test.storage.read.sales.list({ profileIds: [shop.profileId] }, { limit: 1 })
    expect(JSON.stringify(items)).not.toContain('hidden@')
    const payment = await lastPayment()
    expect(payment?.state).toBe('settled')
    expect(JSON.stringify(payment)).not.toContain('hidden@')
  })
})

describe('a recovery link', () => {
  it('does not open a purchase that was refunded', async () => {
    const jar = await buy('refunded@example.com')
    const receiptId = await lastReceipt()
    await buy('refunded@example.com', other)
    await ask('refunded@example.com')
    const recovered = jarOf(await use(await linkTo('refunded@example.com')))
    expect((await read(recovered)).statusCode).toBe(200)

    const refund = await shop.post(`/eep/payment/receipts/${receiptId}/refund`, {})
    expect(refund.statusCode, refund.body).toBe(200)
    for (const cookies of [jar, recovered]) expect((await read(cookies)).statusCode).toBe(402)
    expect((await read(recovered, other)).statusCode).toBe(200)

    await ask('refunded@example.com')
    const used = await use(await linkTo('refunded@example.com'))
    expect(used.json().purchases.map(({ seller }: { seller: string }) => seller)).toEqual([other.did])
    expect((await read(jarOf(used))).statusCode).toBe(402)
  })

  it('sends no email when all purchases were refunded', async () => {
    await buy('all-refunded@example.com')
    await ask('all-refunded@example.com')
    const link = await linkTo('all-refunded@example.com')
    const url = `/eep/payment/receipts/${await lastReceipt()}/refund`
    await shop.post(url, {})
    const used = await use(link)
    expect([used.statusCode, used.json(), used.cookies]).toEqual([200, { purchases: [] }, []])
    await ask('all-refunded@example.com')
    expect(await mailedTo()).toEqual([])
  })

  it('does not open a tier that was granted to the address', async () => {
    const gift = { profile_id: other.profileId, email: 'gift@example.com', tier: 'reader' }
    const given = await other.post('/manage/entitlements', gift)
    expect(given.statusCode, given.body).toBe(201)
    await buy('gift@example.com')
    await ask('gift@example.com')
    const used = await use(await linkTo('gift@example.com'))
    expect(used.json().purchases).toHaveLength(1)
    const jar = jarOf(used)
    expect([(await read(jar)).statusCode, (await read(jar, other)).statusCode]).toEqual([200, 402])
    const listed = await other.get(
      `/manage/entitlements?profile_id=${other.profileId}&payer_wallet=gift@example.com&active=true`,
    )
    expect(listed.json().data).toHaveLength(1)
  })

  it('does not open a purchase without an email address', async () => {
    await buy(undefined)
    expect(await mailedTo()).toEqual([])
  })
})

describe('a service', () => {
  it('reports that it cannot send a link without a mailer', async () => {
    const silent = await createCardApp()
    const refused = await ask('anyone@example.com', silent.app)
    expect([refused.statusCode, refused.json().error.code]).toEqual([503, 'purchase_recovery_not_configured'])
    await silent.close()
  })

  it('sends at most ten links an hour to one address', async () => {
    const mails = createMailbox()
    const own = await createCardApp({ email: { mailer: mails.mailer }, limits: { rateLimit: { multiplier: 1 } } })
    const seller = await openShop(own.app, 'recovery-many', PRICE)
    await buy('many@example.com', seller, { test: own })
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        own.app.inject({
          method: 'POST',
          url: ROOT,
          payload: { email: 'many@example.com' },
          remoteAddress: `203.0.113.${index + 1}`,
        }),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(12).fill(202))
    await soon(() => expect(mails.mails.filter(({ subject }) => isAbout.test(subject))).toHaveLength(10))
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(mails.mails.filter(({ subject }) => isAbout.test(subject))).toHaveLength(10)
    await own.close()
  })

  it('finds purchases from before its secret was replaced', async () => {
    const database = await openStorage()
    const mails = createMailbox()
    const [old, next] = [
      'an old secret of thirty-two characters or more',
      'a new secret of thirty-two characters or more',
    ]
    const before = await createCardApp({ storage: database.storage, secret: old, email: { mailer: mails.mailer } })
    const seller = await openShop(before.app, 'recovery-rotation', PRICE)
    await buy('rotated@example.com', seller, { test: before })
    await before.close()
    const after = await createCardApp({
      storage: database.storage,
      secret: [next, old],
      email: { mailer: mails.mailer },
    })
    await ask('rotated@example.com', after.app)
    const used = await use(await linkTo('rotated@example.com', mails), {}, after.app)
    expect((await read(jarOf(used), seller, after.app)).body).toContain(SECRET_WORD)
    await after.close()
    await database.close()
  })

  it('erases the address with the account that paid', async () => {
    const { headers, account } = await signUp(test.app, 'recovery-erased')
    const payload = { did: shop.did, resource: 'content.notes.engines' }
    const opened = await client(test.app).post('/eep/payment/stripe/checkout-human', payload, headers)
    const { checkout_id: id } = opened.json()
    test.stripe.completeCheckout(id, 'erased@example.com')
    await client(test.app).get(`/eep/payment/stripe/checkout-human/${id}`)
    const buyerOf = async () => (await test.storage.read.payments.get({ rail: 'stripe-mpp', credentialId: id }))?.buyer
    expect(await buyerOf()).toMatch(/^[\w-]{22}$/)
    await test.storage.transaction((tx) => eraseAccount(tx, account.id))
    expect(await buyerOf()).toBeNull()
  })
})
