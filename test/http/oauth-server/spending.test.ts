import { cashRail, createCashWallets } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, signUp } from '../../support/accounts.ts'
import { createTestApp, PUBLIC_URL } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { untilNotified } from '../../support/notifications.ts'
import { bearer, connect } from '../../support/oauth-server.ts'
import { header, openShop, receiptIdOf, type Shop } from '../../support/shop.ts'

let now = new Date('2026-03-30T12:00:00Z')
const clock = () => now
const cashWallets = createCashWallets({ clock })
let service: Awaited<ReturnType<typeof createTestApp>>
let shop: Shop
let buyer: Person
const scopes = ['read:content', 'spend:payments']

beforeAll(async () => {
  const spending = { usd: { purchase: 3, day: 5, month: 7 } }
  service = await createTestApp({ clock, payments: { rails: [cashRail({ cashWallets })] }, oauthServer: { spending } })
  shop = await openShop(service.app, 'seller', { amount: 2, currency: 'usd', per: 'request' })
  buyer = await signUp(service.app, 'buyer')
})
afterAll(() => service.close())

const read = (headers: Record<string, string>) =>
  client(service.app).get(shop.paid, { accept: 'application/json', ...headers })

/** Pays for one request with a new payment of a wallet. Returns the answer, and the payment. */
async function pay(token: string) {
  const refusal = await read(bearer(token))
  const payment = cashWallets.answer(header(refusal, 'payment-required'))
  return { payment, response: await read({ ...bearer(token), ...payment }) }
}

describe('what an app pays', () => {
  it('is bounded by purchase, day and month, for all registered apps of an account together', async () => {
    const first = await connect(service, buyer, { scopes })
    const second = await connect(service, buyer, { scopes })
    expect((await pay(first.access_token)).response.statusCode).toBe(200)
    expect((await pay(second.access_token)).response.statusCode).toBe(200)
    const { payment, response } = await pay(first.access_token)
    expect(response.statusCode).toBe(403)
    expect(response.json().error).toMatchObject({
      code: 'app_spend_limit',
      details: { limit: 'day', remaining: '1', currency: 'usd', manage_url: `${PUBLIC_URL}/account/apps` },
    })
    expect(header(response, 'payment-required')).toBe('')

    // The owner is notified once a day.
    await pay(second.access_token)
    await untilNotified(buyer, (items) =>
      expect(items.filter(({ kind }) => kind === 'app_spend_limit')).toHaveLength(1),
    )

    // Nothing was taken, so the same payment works without the app.
    expect((await read(payment)).statusCode).toBe(200)

    now = new Date('2026-03-31T00:00:01Z')
    const next = await connect(service, buyer, { scopes })
    expect((await pay(next.access_token)).response.statusCode).toBe(200)
    const reached = await pay(next.access_token)
    expect(reached.response.json().error.details).toMatchObject({ limit: 'month', remaining: '1' })
    now = new Date('2026-04-01T00:00:01Z')
    const again = await connect(service, buyer, { scopes })
    expect((await pay(again.access_token)).response.statusCode).toBe(200)
  })

  it('counts nothing for a payment that was refused, and counts it when it is presented again', async () => {
    const ada = await signUp(service.app, 'ada')
    const { access_token: token } = await connect(service, ada, { scopes })
    const refusal = await read(bearer(token))
    const payment = cashWallets.answer(header(refusal, 'payment-required'))
    cashWallets.next('settle', { refuse: 'insufficient_funds' })
    expect((await read({ ...bearer(token), ...payment })).statusCode).toBe(402)
    const spent = async () => (await service.storage.read.appSpending.listTotals(ada.account.id, now))[0]?.day ?? 0
    expect(await spent()).toBe(0)
    expect((await read({ ...bearer(token), ...payment })).statusCode).toBe(200)
    expect(await spent()).toBe(2_000_000)
    // The same credential is served without counting again, or refused because it was delivered.
    await read({ ...bearer(token), ...payment })
    expect(await spent()).toBe(2_000_000)
  })

  it('is kept with the name of the app, beside the receipt', async () => {
    const bob = await signUp(service.app, 'bob')
    const { access_token: token } = await connect(service, bob, { scopes })
    const { response } = await pay(token)
    const receiptId = receiptIdOf(response)
    const apps = await service.storage.read.appSpending.getReceiptApps(bob.account.id, [receiptId])
    expect(apps.get(receiptId)).toMatchObject({ name: 'Test assistant', spender: 'unverified' })
    expect(JSON.stringify(await service.storage.read.receipts.get(receiptId))).not.toContain('Test assistant')
  })
})
