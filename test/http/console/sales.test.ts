import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actionsOn, browserOf, browserOfMember, formOf, roleIn } from '../../support/console.ts'
import { leadsTo } from '../../support/pages.ts'
import { createSandboxApp, openBrowser } from '../../support/sandbox.ts'
import { openShop, SECRET_WORD, type Shop } from '../../support/shop.ts'

let test: Awaited<ReturnType<typeof createSandboxApp>>
let shop: Shop
let owner: Awaited<ReturnType<typeof browserOf>>
let path: string

beforeAll(async () => {
  test = await createSandboxApp()
  shop = await openShop(test.app, 'sales-seller', { amount: 5, currency: 'eur' })
  owner = await browserOf(test.app, shop)
  path = `/manage/profiles/${shop.profileId}/sales`
})
afterAll(() => test.close())

async function buy(email: string) {
  const browser = openBrowser(test.app)
  const id = await browser.checkout(shop.paid)
  await browser.answer(id, 'pay', { email })
  await browser.get(`/eep/payment/sandbox/checkout-human/${id}`)
  return browser
}

const receiptsOn = ({ body }: { readonly body: string }) =>
  [...body.matchAll(/name="receipt" value="([^"]+)"/g)].map(([, id = '']) => id)

describe('the screen with the sales of a profile', () => {
  it('states that nothing was sold yet', async () => {
    expect((await owner.open(path)).body).toContain('Nothing was sold in this time.')
  })

  it('shows each sale with its totals, and never the email address of a buyer', async () => {
    await buy('private-reader@example.com')
    await buy('another-reader@example.com')
    const { body } = await owner.open(path)
    expect(body.match(/<bdi>€5\.00<\/bdi> <span class="tag ok">Paid/g)).toHaveLength(2)
    expect(body).toMatch(/data-th="Sold"[^>]*><bdi>€10\.00<\/bdi>/)
    expect(body).toMatch(/Card buyer <bdi>\d{8}<\/bdi>/)
    expect(body).not.toContain('@example.com')
    const today = new Date().toISOString().slice(0, 10)
    expect((await owner.open(`${path}?from=${today}&to=${today}`)).body).toContain('€10.00')
    expect((await owner.open(`${path}?from=2020-01-01&to=2020-12-31`)).body).toContain('Nothing was sold')
  })

  it('shows the times of a sale, from the opening of the checkout page to the settlement', async () => {
    const { body } = await owner.open(path)
    const [, times = ''] = /<summary>Times<\/summary><dl class="facts">(.*?)<\/dl>/s.exec(body) ?? []
    expect([...times.matchAll(/<dt>([^<]+)<\/dt><dd><time datetime="([^"]+)"/g)].map(([, label]) => label)).toEqual([
      'Reader met the price',
      'Checkout page opened',
      'Paid',
      'Settled',
    ])
    const moments = [...times.matchAll(/datetime="([^"]+)"/g)].map(([, at = '']) => Date.parse(at))
    expect(moments).toEqual(moments.toSorted((left, right) => left - right))
  })

  it('refunds a sale once, which closes the page for its buyer', async () => {
    const buyer = await buy('refunded@example.com')
    expect((await buyer.get(shop.paid)).body).toContain(SECRET_WORD)
    const [receipt = ''] = receiptsOn(await owner.open(path))
    const form = formOf('refund', { receipt, reason: 'By mistake' })
    expect(leadsTo(await owner.submit(path, form))).toEqual([303, path])
    const page = await owner.open(path)
    expect(roleIn(page, 'status')).toBe('The sale was refunded.')
    expect(page.body).toContain('Refunded on')
    expect((await buyer.get(shop.paid)).statusCode).toBe(402)
    const again = await owner.submit(path, formOf('refund', { receipt, reason: '' }))
    expect([again.statusCode, roleIn(again, 'alert')]).toEqual([409, 'This sale was already refunded.'])
  })

  it('keeps the filters and the reason of a refund that was refused', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const filtered = await owner.open(`${path}?from=${today}&to=${today}&other=1`)
    const [, action = ''] = /<form method="post" action="([^"]*\/sales[^"]*)"/.exec(filtered.body) ?? []
    expect(action.replaceAll('&amp;', '&')).toBe(`${path}?from=${today}&to=${today}`)
    const [receipt = ''] = receiptsOn(filtered)
    const reason = `Kept ${'x'.repeat(500)}`
    const refused = await owner.submit(action.replaceAll('&amp;', '&'), formOf('refund', { receipt, reason }))
    expect([refused.statusCode, refused.body.includes(`${reason}</textarea>`)]).toEqual([400, true])
    expect(refused.body).toMatch(new RegExp(`name="from"[^>]* value="${today}"`))
  })

  it('shows an admin of the team the sales without refunds, and an editor nothing', async () => {
    const profile = {
      owner: shop,
      id: shop.profileId,
      username: 'sales-seller',
      path: '/profiles/u/sales-seller',
      team: `/profiles/${shop.profileId}/team`,
    }
    const admin = await browserOfMember(test.app, profile, 'admin')
    const page = await admin.open(path)
    expect([page.statusCode, actionsOn(page).size]).toEqual([200, 0])
    expect((await admin.submit(path, formOf('refund', { receipt: 'rcpt_x', reason: '' }))).statusCode).toBe(403)
    const editor = await browserOfMember(test.app, profile, 'editor')
    expect((await editor.open(path)).statusCode).toBe(403)
  })
})
