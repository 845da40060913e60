import { Readable } from 'node:stream'
import { documentConverter } from '@eep/core/files/text'
import { SANDBOX_NETWORK } from '@eep/core/ports'
import { cashRail, createCashWallets } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createMailbox } from '../support/mailbox.ts'
import { header, openShop, receiptIdOf } from '../support/shop.ts'
import { soon } from '../support/wait.ts'
import { createReceivers } from '../support/webhooks.ts'

const STRIP = {
  en: 'Test mode: no money moves',
  de: 'Testmodus: Es fließt kein Geld',
  ja: 'テストモード：お金は動きません',
  ar: 'وضع الاختبار: لا تُنقل أي أموال',
}

const newReceiver = createReceivers()

/** A service with a shop whose money is that of a network, and a webhook of the shop. */
async function openService(network: string) {
  const mailbox = createMailbox()
  const cashWallets = createCashWallets({ network })
  const rail = { ...cashRail({ cashWallets, network }), moneyKind: undefined }
  const test = await createTestApp({
    email: { mailer: mailbox.mailer },
    payments: { rails: [rail] },
    http: { allowPrivateHosts: ['127.0.0.1', 'localhost'] },
  })
  const shop = await openShop(test.app, 'shop')
  const receiver = await newReceiver()
  const subscribed = await shop.post('/eep/subscribe', {
    source_did: shop.did,
    event_types: ['gate.*'],
    delivery_method: 'webhook',
    delivery_url: receiver.url,
  })
  if (subscribed.statusCode !== 201) throw new Error(subscribed.body)
  const { get } = client(test.app)
  async function buy(): Promise<string> {
    const offer = await get(shop.paid)
    const paid = await get(shop.paid, cashWallets.answer(header(offer, 'payment-required'), { wallet: 'wallet:one' }))
    if (paid.statusCode !== 200) throw new Error(paid.body)
    return receiptIdOf(paid)
  }
  return { ...test, shop, mailbox, receiver, get, receiptId: await buy() }
}

type Service = Awaited<ReturnType<typeof openService>>

const page = (path: string, language = 'en') => [path, { accept: 'text/html', 'accept-language': language }] as const

describe('a service with play money', () => {
  let service: Service
  beforeAll(async () => {
    service = await openService(SANDBOX_NETWORK)
  })
  afterAll(() => service.close())

  it.each(['/', '/u/shop', '/nowhere', '/health/live', '/docs/openapi.json'])(
    'states it in a header of %s',
    async (path) => {
      const { headers } = await service.get(path)
      expect(headers['x-eep-sandbox']).toBe('true')
      expect(String(headers['access-control-expose-headers']).split(', ')).toContain('X-EEP-Sandbox')
    },
  )

  it.each(Object.entries(STRIP))('states on every page in %s that no money moves', async (language, strip) => {
    const paths = ['/', '/u/shop', service.shop.open, service.shop.paid, '/login', '/nowhere', '/discover']
    for (const path of paths) {
      const { body } = await service.get(...page(path, language))
      expect(body.split(strip), path).toHaveLength(2)
    }
  })

  it('states it in the manifest', async () => {
    expect((await service.get('/.well-known/eep.json')).json()).toMatchObject({ sandbox: true })
  })

  it('states it in receipts, below their signature, and in sales', async () => {
    const path = `/eep/payment/receipts/${service.receiptId}`
    const receipt = (await service.get(path, service.shop.headers)).json()
    expect(receipt).toMatchObject({ sandbox: true })
    const claims = JSON.parse(Buffer.from(receipt.signature.split('.')[1], 'base64url').toString())
    expect(claims).toMatchObject({ sandbox: true })
    const sales = await service.shop.get(`/eep/payment/sales?profile_id=${service.shop.profileId}`)
    expect(sales.json().data).toMatchObject([{ sandbox: true }])
  })

  it('states it in deliveries of webhooks', async () => {
    const [delivery] = await soon(() => {
      expect(service.receiver.received.length).toBeGreaterThan(0)
      return service.receiver.received
    })
    expect(JSON.parse(delivery?.text ?? '')).toMatchObject({ sandbox: true, specversion: '1.0' })
  })

  it('states it in emails, as text and as HTML', async () => {
    const person = await signUp(service.app)
    const { text, html } = await service.mailbox.take(person.account.email, 'verification')
    expect(text.startsWith(`${STRIP.en}\n\n`)).toBe(true)
    expect(html).toMatch(new RegExp(`<body[^>]*><div [^>]*>${STRIP.en}</div>`))
  })

  it('marks the PDF of a receipt', async () => {
    const receipt = await service.get(`/eep/payment/receipts/${service.receiptId}.pdf`, service.shop.headers)
    expect(receipt.statusCode).toBe(200)
    const { rawPayload: bytes } = receipt
    const document = { contentType: 'application/pdf', filename: 'receipt.pdf', size: bytes.length }
    const { markdown } = await documentConverter().convert(document, Readable.from([bytes]), {
      signal: AbortSignal.timeout(60_000),
    })
    expect(markdown).toContain(STRIP.en)
  })
})

describe('a service with other money', () => {
  let service: Service
  beforeAll(async () => {
    service = await openService('eip155:84532')
  })
  afterAll(() => service.close())

  it('has none of these marks', async () => {
    const { shop, get, receiptId } = service
    for (const path of ['/', shop.paid, '/login', '/nowhere']) {
      const answer = await get(...page(path))
      expect(answer.headers).not.toHaveProperty('x-eep-sandbox')
      expect(answer.body).not.toMatch(/Test mode|class="strip"|\.strip/)
    }
    const documents = [
      await get('/.well-known/eep.json'),
      await get(`/eep/payment/receipts/${receiptId}`, shop.headers),
      await shop.get(`/eep/payment/sales?profile_id=${shop.profileId}`),
    ]
    for (const { body, statusCode } of documents) {
      expect(statusCode).toBe(200)
      expect(body).not.toContain('"sandbox"')
    }
    const [delivery] = await soon(() => {
      expect(service.receiver.received.length).toBeGreaterThan(0)
      return service.receiver.received
    })
    expect(delivery?.text).not.toContain('"sandbox"')
    const person = await signUp(service.app)
    const { text, html } = await service.mailbox.take(person.account.email, 'verification')
    expect(text + html).not.toContain(STRIP.en)
  })
})
