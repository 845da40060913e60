import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { actionsOn, browserOf, browserOfMember, fieldsOfForm, formOf, roleIn } from '../../support/console.ts'
import { leadsTo, sentencesOf } from '../../support/pages.ts'
import { createSandboxApp, openBrowser } from '../../support/sandbox.ts'
import { openShop, SECRET_WORD, type Shop } from '../../support/shop.ts'

let test: Awaited<ReturnType<typeof createSandboxApp>>
let shop: Shop
let owner: Awaited<ReturnType<typeof browserOf>>
let path: string

beforeAll(async () => {
  test = await createSandboxApp()
  shop = await openShop(test.app, 'customer-seller', { amount: 5, currency: 'eur' })
  owner = await browserOf(test.app, shop)
  path = `/manage/profiles/${shop.profileId}/customers`
})
afterAll(() => test.close())

describe('the screen with the customers of a profile', () => {
  it('states that nothing was bought', async () => {
    const page = await owner.open(path)
    expect(page.statusCode, page.body).toBe(200)
    expect(page.body).toContain('Nothing was bought yet.')
    expect(page.body).toContain('No access was bought or given.')
  })

  it('shows what each customer bought and paid, and never an email address', async () => {
    const browser = openBrowser(test.app)
    const id = await browser.checkout(shop.paid)
    await browser.answer(id, 'pay', { email: 'private-customer@example.com' })
    await browser.get(`/eep/payment/sandbox/checkout-human/${id}`)
    const page = await owner.open(path)
    expect(sentencesOf(page)).toMatch(/Card buyer \d{8}/)
    expect(page.body).toContain('<bdi>€5.00</bdi>')
    expect(page.body).toContain('>bought<')
    expect(page.body).not.toContain('private-customer')
    expect((await owner.open(`/manage/profiles/${shop.profileId}/sales`)).body).toContain(`href="${path}"`)
  })

  it('gives access by hand, which opens the page, and takes it', async () => {
    const reader = await signUp(test.app, 'given-reader')
    const tab = await browserOf(test.app, reader)
    expect((await tab.open(shop.paid)).statusCode).toBe(402)
    const form = fieldsOfForm(await owner.open(path), 'give')
    const given = await owner.submit(path, { ...form, to: 'given-reader', until: '', reason: 'A gift' })
    expect(leadsTo(given)).toEqual([303, path])
    const page = await owner.open(path)
    expect(roleIn(page, 'status')).toBe('Access was given.')
    expect(page.body).toContain('given by hand')
    expect((await tab.open(shop.paid)).body).toContain(SECRET_WORD)
    const [, grant = ''] = /name="grant" value="([^"]+)"/.exec(page.body) ?? []
    expect(leadsTo(await owner.submit(path, formOf('take', { grant })))).toEqual([303, path])
    expect((await tab.open(shop.paid)).statusCode).toBe(402)
    const again = await owner.submit(path, formOf('take', { grant }))
    expect([again.statusCode, roleIn(again, 'alert')]).toEqual([404, 'This access was already taken.'])
  })

  it('keeps what was entered when the account is unknown or the day is not one', async () => {
    const form = fieldsOfForm(await owner.open(path), 'give')
    const unknown = await owner.submit(path, { ...form, ...formOf('give'), to: 'nobody-here', until: '2030-01-31' })
    expect([unknown.statusCode, roleIn(unknown, 'alert')]).toEqual([404, 'There is no such account.'])
    expect(fieldsOfForm(unknown, 'give')).toMatchObject({ to: 'nobody-here', until: '2030-01-31' })
    const wrong = await owner.submit(path, { ...form, ...formOf('give'), to: 'nobody-here', until: 'soon' })
    expect([wrong.statusCode, fieldsOfForm(wrong, 'give').to]).toEqual([400, 'nobody-here'])
  })

  it('lists access in pages, beside those of the customers', async () => {
    const many = await openShop(test.app, 'many-access', { amount: 5, currency: 'eur' })
    for (let index = 0; index < 31; index++) {
      const body = { profile_id: many.profileId, tier: 'reader', email: `reader-${index}@example.com` }
      const given = await many.post('/manage/entitlements', body)
      expect(given.statusCode, given.body).toBe(201)
    }
    const tab = await browserOf(test.app, many)
    const seen = new Set<string>()
    let url: string | undefined = `/manage/profiles/${many.profileId}/customers`
    let pages = 0
    for (; url !== undefined; pages++) {
      const { body, statusCode } = await tab.open(url)
      expect(statusCode, body).toBe(200)
      for (const [address] of body.matchAll(/reader-\d+@example\.com/g)) seen.add(address)
      url = /rel="next" href="([^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&')
    }
    expect([seen.size, pages > 1]).toEqual([31, true])
    const wrong = await tab.open(`/manage/profiles/${many.profileId}/customers?access=nothing`)
    expect(wrong.statusCode).toBe(400)
  })

  it('is for admins and the owner, and refuses others by hand', async () => {
    const profile = {
      owner: shop,
      id: shop.profileId,
      username: 'customer-seller',
      path: '/profiles/u/customer-seller',
      team: `/profiles/${shop.profileId}/team`,
    }
    const admin = await browserOfMember(test.app, profile, 'admin')
    expect(actionsOn(await admin.open(path)).has('give')).toBe(true)
    const editor = await browserOfMember(test.app, profile, 'editor')
    expect((await editor.open(path)).statusCode).toBe(403)
    for (const action of ['give', 'take']) {
      expect((await editor.submit(path, formOf(action, { to: 'ada', tier: 'paid' }))).statusCode).toBe(403)
    }
  })
})
