import { eraseAccount } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, signUp } from '../../support/accounts.ts'
import { client, type Headers } from '../../support/client.ts'
import { browserOf } from '../../support/console.ts'
import { bearer, connect } from '../../support/oauth-server.ts'
import { createCashApp, header, openShop, receiptIdOf, type Shop } from '../../support/shop.ts'

let service: Awaited<ReturnType<typeof createCashApp>>
let shop: Shop
let otherShop: Shop

const CLAUDE = { name: 'Claude <b>', host: 'claude.example' }

beforeAll(async () => {
  service = await createCashApp()
  shop = await openShop(service.app, 'seller')
  otherShop = await openShop(service.app, 'other-seller')
})
afterAll(() => service.close())

/** Buys a page with another wallet. Returns the answer. */
async function buy(path: string, headers: Headers = {}) {
  const read = (more: Headers = {}) =>
    client(service.app).get(path, { accept: 'application/json', ...headers, ...more })
  const offer = header(await read(), 'payment-required')
  const bought = await read(service.cashWallets.answer(offer, { wallet: `wallet:${crypto.randomUUID()}` }))
  expect(bought.statusCode, bought.body).toBe(200)
  return bought
}

async function appOf(person: Pick<Person, 'account'>): Promise<Headers> {
  const scopes = ['read:content', 'read:payments', 'spend:payments']
  const { access_token: token } = await connect(service, person, { ...CLAUDE, scopes, maySpend: true })
  return bearer(token)
}

const purchasesOf = async (headers: Headers): Promise<{ receipt_id: string; via: unknown }[]> =>
  (await client(service.app).get('/purchases', { accept: 'application/json', ...headers })).json().data

describe('what an app bought', () => {
  it('is shown with the app to the account for which it bought, as JSON and on the page', async () => {
    const buyer = await signUp(service.app)
    const app = await appOf(buyer)
    const byApp = receiptIdOf(await buy(shop.paid, app))
    const inPerson = receiptIdOf(await buy(otherShop.paid, buyer.headers))
    for (const headers of [buyer.headers, app]) {
      const shown = (await purchasesOf(headers)).map(({ receipt_id: id, via }) => [id, via])
      expect(shown).toEqual([
        [inPerson, null],
        [byApp, CLAUDE],
      ])
    }
    const page = await (await browserOf(service.app, buyer)).open('/purchases')
    expect(page.body.split('Bought by <bdi>Claude &lt;b&gt; (claude.example)</bdi>')).toHaveLength(2)
    expect(page.body).not.toContain('Claude <b>')
  })

  it('is shown without the app to a reader with the cookie of its wallet, and to the seller', async () => {
    const buyer = await signUp(service.app)
    const bought = await buy(shop.paid, await appOf(buyer))
    const cookie = bought.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const other = await signUp(service.app)
    for (const headers of [{ cookie }, { cookie, ...other.headers }]) {
      const shown = await purchasesOf(headers)
      expect(shown.map(({ receipt_id: id, via }) => [id, via])).toEqual([[receiptIdOf(bought), null]])
    }
    const sales = await shop.get('/eep/payment/sales')
    expect(sales.body).toContain(receiptIdOf(bought))
    expect(sales.body).not.toContain('Claude')
  })

  it('keeps its receipt as it is, signed, when the account is erased with the app', async () => {
    const buyer = await signUp(service.app)
    const id = receiptIdOf(await buy(shop.paid, await appOf(buyer)))
    const appOfReceipt = async () =>
      (await service.storage.read.appSpending.getReceiptApps(buyer.account.id, [id])).get(id)
    expect(await appOfReceipt()).toMatchObject(CLAUDE)
    const receipt = await buyer.get(`/eep/payment/receipts/${id}`)
    expect([receipt.statusCode, receipt.body.includes('Claude')]).toEqual([200, false])
    await service.storage.transaction((tx) => eraseAccount(tx, buyer.account.id))
    expect(await appOfReceipt()).toBeUndefined()
    expect(await service.storage.read.receipts.get(id)).toMatchObject({ receiptId: id })
  })
})
