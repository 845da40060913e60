import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { BROWSER, untilTotals } from '../../support/analytics.ts'
import { browserOf } from '../../support/console.ts'
import { sentencesOf } from '../../support/pages.ts'
import { createSandboxApp, openBrowser } from '../../support/sandbox.ts'
import { openShop, type Shop } from '../../support/shop.ts'

let test: Awaited<ReturnType<typeof createSandboxApp>>
let shop: Shop
let path: string
beforeAll(async () => {
  test = await createSandboxApp()
  shop = await openShop(test.app, 'read-seller', { amount: 5, currency: 'eur' })
  path = `/manage/profiles/${shop.profileId}/analytics`
})
afterAll(() => test.close())

const read = (url: string, headers: Record<string, string> = {}) =>
  test.app.inject({ url, headers: { 'user-agent': BROWSER, accept: 'text/html', ...headers } })

describe('the screen with the figures of a profile', () => {
  it('states that it was not read yet, also after the owner did', async () => {
    const owner = await browserOf(test.app, shop)
    await owner.open(`/u/${shop.account.username}`, { 'user-agent': BROWSER })
    expect((await owner.open(path)).body).toContain('This profile was not read in this time.')
  })

  it('shows reads of people, agents and programs, sources, pages, and offers, each with a table', async () => {
    const profile = `/u/${shop.account.username}`
    await read(profile, { referer: 'https://news.example/today' })
    await read(profile)
    await read(profile, { 'user-agent': 'GPTBot/1.3' })
    await read(profile, { 'user-agent': 'curl/8' })
    await read(shop.paid)
    // Not counted: what browsers load in advance, and pictures.
    await read(profile, { 'sec-purpose': 'prefetch' })
    await read(profile, { 'sec-fetch-dest': 'image' })
    await untilTotals(shop, shop.profileId, { views: 4, challenges: 1 })
    const page = await (await browserOf(test.app, shop)).open(path)
    expect(page.statusCode).toBe(200)
    const text = sentencesOf(page)
    for (const part of ['People', 'Agents of AI services', 'Other programs', 'news.example', 'Offers to pay', '25%'])
      expect(text).toContain(part)
    expect(page.body.match(/<table/g)?.length).toBe(5)
    expect(page.body).toMatch(/<svg[^>]* role="img" aria-label="Reads by day"/)
    expect(page.body).not.toContain('<script')
    expect(page.body).toMatch(/<th scope="row">People<svg[^>]*>.*?<\/svg><\/th><td data-th="Count" class="num">2</)
  })

  it('counts a page for payment that is opened once, between the offer and the payment', async () => {
    const sandbox = await createSandboxApp()
    try {
      const seller = await openShop(sandbox.app, 'funnel-seller', { amount: 5, currency: 'eur' })
      const buyer = openBrowser(sandbox.app)
      const id = await buyer.checkout(seller.paid)
      expect(await buyer.checkout(seller.paid)).toBe(id)
      await untilTotals(seller, seller.profileId, { checkouts: 1, payments: 0 })
      await buyer.answer(id, 'pay')
      await buyer.get(`/eep/payment/sandbox/checkout-human/${id}`)
      await untilTotals(seller, seller.profileId, { checkouts: 1, payments: 1 })
      const page = await (await browserOf(sandbox.app, seller)).open(`/manage/profiles/${seller.profileId}/analytics`)
      expect(page.body).toMatch(/>Payments begun<.*?data-th="Count" class="num">1</s)
    } finally {
      await sandbox.close()
    }
  })

  it('has a period in its address, and ignores another one', async () => {
    const owner = await browserOf(test.app, shop)
    expect((await owner.open(`${path}?days=7`)).body).toMatch(/days=7" aria-current="page"/)
    expect((await owner.open(`${path}?days=8`)).body).toMatch(/days=28" aria-current="page"/)
  })

  it('is for the team of the profile', async () => {
    const person = await signUp(test.app)
    const stranger = await browserOf(test.app, await signUp(test.app))
    expect((await stranger.open(path)).statusCode).toBe(403)
    const member = { profileId: shop.profileId, accountId: person.account.id, createdAt: new Date() }
    await test.storage.transaction((tx) => tx.members.put({ ...member, role: 'viewer' }))
    expect((await (await browserOf(test.app, person)).open(path)).statusCode).toBe(200)
  })
})
