import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { actionsOn, browserOf, browserOfMember, fieldsOfForm, formOf, roleIn } from '../../support/console.ts'
import { leadsTo } from '../../support/pages.ts'
import { newOrganization, type OwnedProfile } from '../../support/teams.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
let seller: OwnedProfile
let buyer: Person
let buyerId: number
let atSeller: Awaited<ReturnType<typeof browserOf>>
let atBuyer: Awaited<ReturnType<typeof browserOf>>
let id: string
let sold: string
let bought: string

beforeAll(async () => {
  test = await createTestApp()
  seller = await newOrganization(test.app)
  buyer = await signUp(test.app)
  buyerId = (await buyer.get(`/profiles/u/${buyer.account.username}`)).json().id
  atSeller = await browserOf(test.app, seller.owner)
  atBuyer = await browserOf(test.app, buyer)
})
afterAll(() => test.close())

beforeEach(async () => {
  const made = await buyer.post('/eep/commerce/negotiations', {
    seller_did: `did:web:profiles.example:o:${seller.username}`,
    service: 'Repair of a sail',
    pricing: { model: 'fixed', currency: 'eur', amount: 80 },
    reason: 'It is torn',
  })
  expect(made.statusCode, made.body).toBe(201)
  id = made.json().negotiation_id
  sold = `/manage/profiles/${seller.id}/deals/${id}`
  bought = `/manage/profiles/${buyerId}/deals/${id}`
})

type Browser = typeof atSeller

async function move(browser: Browser, path: string, action: string, fields: Record<string, string> = {}) {
  const form = { ...fieldsOfForm(await browser.open(path), action), ...fields }
  expect(leadsTo(await browser.submit(path, form))).toEqual([303, path])
  return browser.open(path)
}
const stateOf = async () => (await buyer.get(`/eep/commerce/negotiations/${id}`)).json()

describe('the screen with the deals of a profile', () => {
  it('lists deals of both sides with their prices and states, and filters them', async () => {
    const list = `/manage/profiles/${seller.id}/deals`
    const { body } = await atSeller.open(list)
    expect(body).toContain(
      '<bdi>Repair of a sail</bdi></strong></a> <bdi>€80.00</bdi> <span class="tag">Offered</span>',
    )
    expect((await atSeller.open(`${list}?role=buyer`)).body).toContain('No deals here.')
    expect((await atSeller.open(`${list}?role=seller&state=open`)).body).toContain(sold)
    expect((await atSeller.open(`${list}?state=paid`)).body).toContain('No deals here.')
    expect((await atBuyer.open(`/manage/profiles/${buyerId}/deals?role=buyer`)).body).toContain(bought)
  })

  it('names the other side with a link to its profile, and a private one by its DID', async () => {
    const list = `/manage/profiles/${seller.id}/deals`
    const name = buyer.account.username
    const link = `<a href="/u/${name}"><bdi>${name}</bdi></a>`
    for (const page of [list, sold]) expect((await atSeller.open(page)).body, page).toContain(link)
    await buyer.put(`/profiles/${buyerId}/visibility`, { visibility: 'private' })
    expect((await atSeller.open(sold)).body).toContain(`<bdi>did:web:profiles.example:u:${name}</bdi>`)
    await buyer.put(`/profiles/${buyerId}/visibility`, { visibility: 'public' })
  })

  it('shows the name of a listed service', async () => {
    const did = `did:web:profiles.example:o:${seller.username}`
    const listed = await seller.owner.post(`/eep/services/${did}`, {
      name: 'Winter storage',
      category: 'storage',
      delivery: 'async',
      pricing: { model: 'fixed', currency: 'eur', amount: 300 },
    })
    await buyer.post('/eep/commerce/negotiations', { seller_did: did, service: listed.json().id })
    expect((await atSeller.open(`/manage/profiles/${seller.id}/deals`)).body).toContain('<bdi>Winter storage</bdi>')
  })

  it('is for admins and the owner of the profile', async () => {
    for (const role of ['editor', 'viewer'] as const) {
      const member = await browserOfMember(test.app, seller, role)
      expect((await member.open(`/manage/profiles/${seller.id}/deals`)).statusCode).toBe(403)
      expect((await member.submit(sold, formOf('accept', { tag: '*' }))).statusCode).toBe(403)
    }
    const admin = await browserOfMember(test.app, seller, 'admin')
    expect((await admin.open(sold)).statusCode).toBe(200)
  })
})

describe('the screen of a deal', () => {
  it('shows each side the moves that it may make now', async () => {
    expect([...actionsOn(await atSeller.open(sold))].sort()).toEqual(['accept', 'counter', 'reject'])
    expect([...actionsOn(await atBuyer.open(bought))].sort()).toEqual(['expire', 'reject'])
  })

  it('leads from a counter-offer to a completed deal', async () => {
    const countered = await move(atSeller, sold, 'counter', { amount: '90', reason: 'It is a large one' })
    expect(roleIn(countered, 'status')).toBe('The counter-offer was sent.')
    await move(atBuyer, bought, 'accept')
    await move(atSeller, sold, 'invoice', { invoice_id: 'INV-7' })
    expect((await stateOf()).invoice).toMatchObject({ invoice_id: 'INV-7', amount: 90, currency: 'eur' })
    const paid = await move(atBuyer, bought, 'receipt', { receipt_id: 'bank-transfer-1' })
    expect(paid.body).toContain('as stated by the buyer')
    const done = await move(atBuyer, bought, 'complete')
    expect([(await stateOf()).state, actionsOn(done).size]).toEqual(['completed', 0])
    for (const text of [
      '<bdi>The buyer</bdi> made an offer',
      'It is torn',
      '<bdi>The seller</bdi> made a counter-offer',
      'It is a large one',
    ]) {
      expect(done.body).toContain(text)
    }
  })

  it('leads through a dispute that its opener withdraws', async () => {
    await move(atSeller, sold, 'accept')
    await move(atBuyer, bought, 'dispute', { reason_code: 'not_delivered', evidence: 'Nothing came' })
    expect((await stateOf()).dispute).toMatchObject({ reason_code: 'not_delivered', evidence: ['Nothing came'] })
    const ended = await move(atBuyer, bought, 'accept')
    expect(ended.body).toContain('<bdi>The buyer</bdi> ended a dispute')
    expect((await stateOf()).state).toBe('accepted')
  })

  it('refuses a move on what has changed since the page was opened, and shows how it is now', async () => {
    const form = fieldsOfForm(await atSeller.open(sold), 'counter')
    await buyer.post(`/eep/commerce/negotiations/${id}/expire`, {})
    const late = await atSeller.submit(sold, { ...form, amount: '70', reason: 'Kept words' })
    expect([late.statusCode, roleIn(late, 'alert')]).toEqual([
      412,
      'The deal changed meanwhile. This is how it is now.',
    ])
    expect(actionsOn(late).size).toBe(0)
  })

  it('keeps what was entered when an amount is not clear', async () => {
    const form = fieldsOfForm(await atSeller.open(sold), 'counter')
    const refused = await atSeller.submit(sold, { ...form, amount: '1,000', reason: 'Kept words' })
    expect(refused.statusCode).toBe(400)
    expect(refused.body).toContain('id="amount-problem">Enter an amount such as 9.50.')
    expect(refused.body).toContain('Kept words</textarea>')
  })

  it('refuses a move that is for the other side', async () => {
    const { tag = '' } = fieldsOfForm(await atBuyer.open(bought), 'expire')
    const refused = await atBuyer.submit(bought, formOf('accept', { tag }))
    expect([refused.statusCode, roleIn(refused, 'alert')]).toEqual([403, 'Only the other side can do this now.'])
  })

  it('is not found for a profile on neither side of it, and for other accounts', async () => {
    const other = await newOrganization(test.app, seller.owner)
    expect((await atSeller.open(`/manage/profiles/${other.id}/deals/${id}`)).statusCode).toBe(404)
    const stranger = await browserOf(test.app, await signUp(test.app))
    expect((await stranger.open(sold)).statusCode).toBe(403)
  })

  it('shows the words of the other side as text', async () => {
    await move(atSeller, sold, 'counter', { amount: '1', reason: '<img src=x onerror=alert(1)>' })
    expect((await atBuyer.open(bought)).body).toContain('&lt;img src=x onerror=alert(1)&gt;')
  })
})
