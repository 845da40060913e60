import type { Mail } from '@eep/core/ports'
import { cashRail, createCashWallets } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Person, proveAddress, signUp } from '../support/accounts.ts'
import { createTestApp, openStorage, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createMailbox } from '../support/mailbox.ts'
import { choose, readNotifications } from '../support/notifications.ts'
import { header, openShop, type Shop } from '../support/shop.ts'

const LONG = { timeout: 60_000, interval: 20 }
const RETRY_MS = 16 * 60_000

const mailbox = createMailbox()
const cashWallets = createCashWallets()
const closers: (() => Promise<void>)[] = []
let database: Awaited<ReturnType<typeof openStorage>>
let now = Date.now()
let app: TestApp
let shop: Shop
let single: Shop
let sold = 0

async function instance(send = mailbox.mailer.send, language?: 'de') {
  const test = await createTestApp({
    storage: database.another(),
    clock: () => new Date(now),
    email: { mailer: { ...mailbox.mailer, send }, ...(language && { language }) },
    payments: { rails: [cashRail({ cashWallets })] },
  })
  closers.push(test.close)
  return test.app
}

beforeAll(async () => {
  database = await openStorage()
  app = await instance()
  // A second instance of the same service.
  await instance()
  shop = await openShop(app, 'receipt-shop', { amount: 0.25, per: 'month' })
  single = await openShop(app, 'single-receipts', { amount: 0.25, per: 'request' })
})
afterAll(async () => {
  for (const close of closers) await close()
  await database.close()
})

/** Buys a page. */
async function buy(path: string, headers: Record<string, string> = {}) {
  const { get } = client(() => app)
  const offer = await get(path)
  const wallet = `wallet:receipt-reader-${++sold}`
  const paid = await get(path, { ...cashWallets.answer(header(offer, 'payment-required'), { wallet }), ...headers })
  expect(paid.statusCode, paid.body).toBe(200)
}

async function buyer({ isVerified = true } = {}): Promise<Person> {
  const person = await signUp(app)
  if (isVerified) await proveAddress(database, person)
  return person
}

const receiptsOf = ({ account }: Person): readonly Mail[] =>
  mailbox.mails.filter(({ to, subject }) => to === account.email && /receipt|Beleg/.test(subject))

const untilReceipts = (person: Person, count: number) =>
  vi.waitFor(() => {
    expect(receiptsOf(person)).toHaveLength(count)
    return receiptsOf(person)
  }, LONG)

/** Waits until earlier purchases have been handled: receipts are sent one after another. */
async function untilHandled() {
  const last = await buyer()
  await buy(shop.paid, last.headers)
  await untilReceipts(last, 1)
}

describe('the receipt of a purchase', () => {
  it('is sent to the account that bought, with what was bought, from whom, for how much and until when', async () => {
    const ada = await buyer()
    await buy(shop.paid, ada.headers)
    const [mail] = await untilReceipts(ada, 1)
    expect(mail?.subject).toBe('Your receipt from Profiles')
    expect(mail?.text).toContain('Thank you for buying Engines.')
    for (const text of ['receipt-shop', '0.25 USDC', 'https://profiles.example/purchases']) {
      expect(mail?.text).toContain(text)
      expect(mail?.html).toContain(text)
    }
    expect(mail?.text).toMatch(/rcpt_[\w-]+/)
    const end = new Date(now)
    end.setUTCMonth(end.getUTCMonth() + 1)
    expect(mail?.text).toContain(end.toISOString().slice(0, 7))
  })

  it('is sent to an account whose address is not verified', async () => {
    const ada = await buyer({ isVerified: false })
    await buy(shop.paid, ada.headers)
    await untilReceipts(ada, 1)
  })

  it('is listed among the notifications of the account', async () => {
    const ada = await buyer()
    await buy(shop.paid, ada.headers)
    await untilReceipts(ada, 1)
    const { data } = await readNotifications(ada)
    expect(data).toMatchObject([{ kind: 'purchase', title: 'You bought Engines for 0.25 USDC' }])
  })

  it('is sent once for each purchase, although two instances run', async () => {
    const ada = await buyer()
    await buy(shop.paid, ada.headers)
    const eve = await buyer()
    await buy(shop.paid, eve.headers)
    await untilHandled()
    expect([receiptsOf(ada), receiptsOf(eve)].map(({ length }) => length)).toEqual([1, 1])
  })

  it.each<[string, () => Promise<Person>, () => string]>([
    ['for a single request', () => buyer(), () => single.paid],
    ['to an account that set the kind to off', optedOut, () => shop.paid],
    ['to an account that unsubscribed', unsubscribed, () => shop.paid],
  ])('is not sent %s', async (_what, newBuyer, path) => {
    const ada = await newBuyer()
    const before = receiptsOf(ada).length
    await buy(path(), ada.headers)
    await untilHandled()
    expect(receiptsOf(ada)).toHaveLength(before)
  })

  it('is not sent for a purchase without an account', async () => {
    const before = mailbox.mails.length
    await buy(shop.paid)
    await untilHandled()
    expect(mailbox.mails.slice(before).filter(({ subject }) => /receipt/.test(subject))).toHaveLength(1)
  })
})

it('a receipt is sent again when the mailer failed, by another instance, in the language of the service', async () => {
  for (const close of closers.splice(0)) await close()
  let attempts = 0
  app = await instance(async () => {
    attempts += 1
    throw new Error('the mail server is away')
  })
  const ada = await buyer()
  await buy(shop.paid, ada.headers)
  await vi.waitFor(() => expect(attempts).toBeGreaterThan(0), LONG)
  for (const close of closers.splice(0)) await close()
  now += RETRY_MS
  app = await instance(mailbox.mailer.send, 'de')
  const [mail] = await untilReceipts(ada, 1)
  expect(mail?.subject).toMatch(/^Ihr Beleg von/)
  expect(mail?.text).toMatch(/0,25\sUSDC/)
})

async function optedOut() {
  const person = await buyer()
  expect((await choose(person, { kind: 'purchase', in_app: true, email: 'off' })).statusCode).toBe(200)
  return person
}

async function unsubscribed() {
  const person = await buyer()
  await buy(shop.paid, person.headers)
  const [mail] = await untilReceipts(person, 1)
  const { pathname, search } = new URL(String(mail?.headers?.['List-Unsubscribe']).slice(1, -1))
  const answer = await app.inject({
    method: 'POST',
    url: pathname + search,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  })
  expect(answer.statusCode).toBeLessThan(300)
  return person
}
