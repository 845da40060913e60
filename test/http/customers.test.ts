import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, PASSWORD, type Person, signUp } from '../support/accounts.ts'
import { keyAgent } from '../support/agents.ts'
import { createCardApp } from '../support/cards.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { createCashApp, header, openShop, type Shop } from '../support/shop.ts'
import { join } from '../support/teams.ts'

/** What these tests read of a customer. */
interface Customer {
  readonly id: string
  readonly kind: string
  readonly name: string | null
  readonly purchases: number
  readonly number: number | null
}

const listOf = async ({ get }: Pick<Person, 'get'>, { profileId }: Shop): Promise<readonly Customer[]> =>
  (await get(`/manage/customers?profile_id=${profileId}`)).json().data

describe('customers', () => {
  let test: Awaited<ReturnType<typeof createCashApp>>
  const time = createClock()
  let count = 0
  beforeAll(async () => {
    test = await createCashApp({ clock: time.clock })
  })
  afterAll(() => test.close())

  const shopOf = (price = {}) => openShop(test.app, `customers-${++count}`, price)

  const minutesAgo = (minutes: number, work: () => Promise<void>) =>
    time.at(time.clock().getTime() - minutes * 60_000, work)

  /** Buys the gated page of a shop. */
  async function buy({ paid }: Shop, headers: Record<string, string> = {}, wallet = `0x${'ab'.repeat(19)}${++count}0`) {
    const { get } = client(test.app)
    const proof = test.cashWallets.answer(header(await get(paid), 'payment-required'), { wallet })
    const bought = await get(paid, { ...proof, ...headers })
    expect(bought.statusCode, bought.body).toBe(200)
  }

  it('lists accounts, agents and wallets by their latest purchase, without addresses of mailboxes', async () => {
    const shop = await shopOf({ per: 'request' })
    const [reader, agent] = [await signUp(test.app, 'ada-reads'), keyAgent()]
    await minutesAgo(3, () => buy(shop, reader.headers))
    await minutesAgo(2, () => buy(shop, reader.headers))
    await minutesAgo(1, () => buy(shop, agent.sign({ path: shop.paid })))
    const wallet = `0x${'0123456789'.repeat(4)}`
    await buy(shop, {}, wallet)
    const response = await shop.get(`/manage/customers?profile_id=${shop.profileId}`)
    expect(response.headers['cache-control']).toBe('private, no-store')
    expect(response.json().data).toMatchObject([
      { kind: 'wallet', name: null, wallet: '0x0123…6789', network: 'cash:test', purchases: 1 },
      { kind: 'agent', name: null, did: agent.did, wallet: null },
      {
        kind: 'account',
        name: 'ada-reads',
        username: 'ada-reads',
        purchases: 2,
        refunds: 0,
        spent: [{ network: 'cash:test', currency: 'usdc', gross: '20000', refunded: '0' }],
      },
    ])
    expect(response.body).not.toMatch(/@|"0x[0-9a-f]{40}"/)
  })

  it('names an account only while its profile is public, and calls a deleted one erased', async () => {
    const shop = await shopOf()
    const reader = await signUp(test.app)
    await buy(shop, reader.headers)
    const [before] = await listOf(shop, shop)
    await reader.put(`/profiles/${reader.account.active_profile_id}/visibility`, { visibility: 'unlisted' })
    const [hidden] = await listOf(shop, shop)
    expect([before?.name, hidden?.name, hidden?.id]).toEqual([reader.account.username, null, before?.id])
    const leaving = await time.daysAgo(31, () => reader.send('DELETE', '/auth/account', { password: PASSWORD }))
    expect(leaving.statusCode, leaving.body).toBe(200)
    await test.app.eep.purge()
    expect(await listOf(shop, shop)).toMatchObject([{ kind: 'erased', name: null, purchases: 1 }])
  })

  it('shows customers to owners and admins of the profile alone', async () => {
    const [shop, other] = [await shopOf(), await shopOf()]
    const url = `/manage/customers?profile_id=${shop.profileId}`
    const refused = await other.get(url)
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'not_profile_owner'])
  })

  it('lists the sales of all profiles where the caller may read payments', async () => {
    const [shop, partner, stranger] = [await shopOf(), await shopOf(), await shopOf()]
    for (const [owner, role] of [
      [partner, 'admin'],
      [stranger, 'editor'],
    ] as const)
      await join({ owner, id: owner.profileId, team: `/profiles/${owner.profileId}/team` }, shop, role)
    for (const [minutes, at] of [shop, partner, stranger].entries()) await minutesAgo(9 - minutes, () => buy(at))
    const sold = (await shop.get('/eep/payment/sales')).json()
    expect(sold.data.map((sale: { seller: { profile_id: number } }) => sale.seller.profile_id)).toEqual([
      partner.profileId,
      shop.profileId,
    ])
    expect(sold.pagination.total).toBe(2)
    const report = (await shop.get('/eep/payment/sales/report')).json().data
    expect(report).toMatchObject([{ sales: 2, gross: '20000' }])
    const { key } = (await shop.post('/api-keys', { name: 'books', profile_id: shop.profileId })).json()
    const ofKey = await client(test.app).get('/eep/payment/sales', { 'x-api-key': key })
    expect(ofKey.json().pagination.total).toBe(1)
    expect((await (await signUp(test.app)).get('/eep/payment/sales')).json().data).toEqual([])
  })

  it('sums sales by the days of a time zone, to the totals of the report', async () => {
    const shop = await shopOf({ per: 'request' })
    await time.daysAgo(1, () => buy(shop))
    await buy(shop)
    await buy(shop)
    const url = `/eep/payment/sales?profile_id=${shop.profileId}&group=day&to=${new Date(time.clock().getTime() + 1).toISOString()}`
    const days = (await shop.get(`${url}&tz=Asia/Tokyo`)).json()
    const day = (at: Date) => at.toLocaleDateString('sv-SE', { timeZone: 'Asia/Tokyo' })
    expect(days.data).toMatchObject([
      { date: day(new Date(time.clock().getTime() - 86_400_000)), sales: 1, gross: '10000', net: '9000' },
      { date: day(time.clock()), sales: 2, gross: '20000', currency: 'usdc' },
    ])
    const [total] = (await shop.get(`/eep/payment/sales/report?profile_id=${shop.profileId}`)).json().data
    expect(days.data.reduce((sum: number, { gross }: { gross: string }) => sum + Number(gross), 0)).toBe(
      Number(total.gross),
    )
    const refused = await shop.get(`${url}&tz=Moon/Base`)
    expect([refused.statusCode, codeOf(refused)]).toEqual([400, 'validation_failed'])
    const long = await shop.get(`${url}&from=2020-01-01T00:00:00Z`)
    expect([long.statusCode, codeOf(long)]).toEqual([400, 'invalid_sales_period'])
  })
})

describe('guests who pay by card', () => {
  it('distinguishes guests by numbers that differ at each seller', async () => {
    const test = await createCardApp()
    const PRICE = { amount: 5, currency: 'eur', per: 'once' }
    const [shop, other] = [await openShop(test.app, 'cards', PRICE), await openShop(test.app, 'more-cards', PRICE)]
    async function buy(email: string, { did }: Shop) {
      const payload = { did, resource: 'content.notes.engines' }
      const opened = await client(test.app).post('/eep/payment/stripe/checkout-human', payload)
      const { checkout_id: id } = opened.json()
      test.stripe.completeCheckout(id, email)
      expect((await client(test.app).get(`/eep/payment/stripe/checkout-human/${id}`)).statusCode).toBe(303)
    }
    for (const at of [shop, other]) await buy('guest@example.com', at)
    await buy('Guest@example.com', shop)
    await buy('second@example.com', shop)
    const own = await listOf(shop, shop)
    expect(own.map(({ kind, name, purchases }) => [kind, name, purchases])).toEqual([
      ['card', null, 1],
      ['card', null, 2],
    ])
    const numbers = [...own, ...(await listOf(other, other))].map(({ number }) => number)
    expect(new Set(numbers).size).toBe(3)
    expect(numbers.every((number) => number !== null && /^\d{8}$/.test(String(number)))).toBe(true)
    await test.close()
  })
})
