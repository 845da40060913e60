import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { browserOf } from '../../support/console.ts'
import { sentencesOf } from '../../support/pages.ts'
import { createSandboxApp, openBrowser } from '../../support/sandbox.ts'
import { openShop, type Shop } from '../../support/shop.ts'

let test: Awaited<ReturnType<typeof createSandboxApp>>
let shop: Shop
beforeAll(async () => {
  test = await createSandboxApp()
  shop = await openShop(test.app, 'board-seller', { amount: 5, currency: 'eur' })
})
afterAll(() => test.close())

async function buy() {
  const browser = openBrowser(test.app)
  const id = await browser.checkout(shop.paid)
  await browser.answer(id, 'pay', { email: 'private-reader@example.com' })
  await browser.get(`/eep/payment/sandbox/checkout-human/${id}`)
}

describe('the dashboard', () => {
  it('lists the steps that are left of a new account, each as a link, and nothing that was not sold', async () => {
    const ada = await signUp(test.app)
    const id = ada.account.active_profile_id
    const { body } = await (await browserOf(test.app, ada)).open('/dashboard')
    expect(body).toContain(`<li><a href="/manage/profiles/${id}/edit">Add a picture</a></li>`)
    expect(body).toContain(`<li><a href="/manage/profiles/${id}/edit">Write a short bio</a></li>`)
    expect(body).toContain(`<li><a href="/manage/profiles/${id}/content">Write a first page</a></li>`)
    expect(body).toContain(`<li><a href="/manage/profiles/${id}/access">Set a price</a></li>`)
    expect(body).toContain('<li><a href="/dashboard#verify">Verify your email</a></li>')
    expect(body).toContain('id="verify"')
    for (const text of ['Revenue', 'Last sales', 'Drafts']) expect(body).not.toContain(`<h2>${text}</h2>`)
  })

  it('leaves out the steps that are done', async () => {
    const { body } = await (await browserOf(test.app, shop)).open('/dashboard')
    for (const text of ['Write a first page', 'Set a price']) expect(body).not.toContain(text)
    expect(body).toContain('Add a picture')
  })

  it('shows the last sales and the revenue of 7, 28 and 90 days by currency, without buyers', async () => {
    await buy()
    await buy()
    const page = await (await browserOf(test.app, shop)).open('/dashboard')
    expect(page.body.match(/<bdi>€5\.00<\/bdi> · <time/g)).toHaveLength(2)
    for (const days of [7, 28, 90]) {
      expect(page.body).toMatch(new RegExp(`data-th="${days} days"[^>]*><bdi>€10\\.00</bdi>`))
    }
    expect(page.body).toContain(`href="/manage/profiles/${shop.profileId}/sales"`)
    expect(sentencesOf(page)).not.toContain('private-reader')
  })

  it('shows sales to those who may read payments, and drafts to the whole team', async () => {
    const draft = { profile_id: shop.profileId, title: 'A hidden plan', body: 'Not yet', status: 'draft' }
    expect((await shop.post('/manage/pages', draft)).statusCode).toBe(201)
    const person = await signUp(test.app)
    const member = { profileId: shop.profileId, accountId: person.account.id, createdAt: new Date() }
    await test.storage.transaction((tx) => tx.members.put({ ...member, role: 'editor' }))
    const editor = await (await browserOf(test.app, person)).open('/dashboard')
    expect(editor.body).toContain('A hidden plan')
    expect(editor.body).not.toContain('<h2>Last sales</h2>')
    const stranger = await (await browserOf(test.app, await signUp(test.app))).open('/dashboard')
    expect(stranger.body).not.toContain('A hidden plan')
  })
})
