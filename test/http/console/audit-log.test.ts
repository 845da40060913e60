import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { browserOf, browserOfMember } from '../../support/console.ts'
import { type Deal, openDeal } from '../../support/deals.ts'
import { LONG } from '../../support/wait.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
let deal: Deal
let seller: Awaited<ReturnType<typeof browserOf>>
let path: string

beforeAll(async () => {
  test = await createTestApp()
  deal = await openDeal(test.app)
  await deal.play('seller counter', 'buyer accept')
  seller = await browserOf(test.app, deal.seller)
  path = `/manage/profiles/${deal.seller.account.active_profile_id}/audit-log`
  await vi.waitFor(async () => expect((await deal.seller.get('/eep/audit-log')).json().total).toBe(3), LONG)
})
afterAll(() => test.close())

/** What the rows of the page say, without their cells that are times. */
const rowsOf = ({ body }: { readonly body: string }) =>
  [...body.matchAll(/<tr><th scope="row">(.*?)<\/tr>/g)].map(([, row = '']) =>
    row
      .replaceAll(/<time.*?<\/time>/g, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )

describe('the screen with the audit log of a profile', () => {
  it('lists who did what, newest first, in words', async () => {
    const page = await seller.open(path)
    const buyer = `/u/${deal.buyer.account.username}`
    expect(rowsOf(page)).toEqual([
      `Offer accepted ${buyer} succeeded ${deal.id}`,
      `Counter-offer made This profile succeeded ${deal.id}`,
      `Offer made ${buyer} succeeded ${deal.id}`,
    ])
    expect(page.body).toContain('<time datetime="')
  })

  it('filters by type, actor and day, and keeps the filters in the address and the form', async () => {
    const counters = await seller.open(`${path}?type=commerce.counter`)
    expect(rowsOf(counters)).toHaveLength(1)
    expect(counters.body).toContain('<option value="commerce.counter" selected>')
    const did = (who: Deal['buyer']) => `did:web:profiles.example:u:${who.account.username}`
    expect(rowsOf(await seller.open(`${path}?actor=${did(deal.buyer)}`))).toHaveLength(2)
    expect(rowsOf(await seller.open(`${path}?outcome=failure`))).toHaveLength(0)
    const past = await seller.open(`${path}?to=2020-01-01`)
    expect(past.body).toContain('No entry matches these filters.')
    expect(past.body).toContain('value="2020-01-01"')
    expect(rowsOf(await seller.open(`${path}?from=2020-01-01`))).toHaveLength(3)
  })

  it('ignores unknown filters, and explains an actor that is not valid', async () => {
    const page = await seller.open(`${path}?type=none&outcome=none&from=yesterday&actor=ada`)
    expect(rowsOf(page)).toHaveLength(3)
    expect(page.body).toContain('Enter a DID, such as did:web:example.com.')
  })

  it('lists long logs in pages that keep the filters', async () => {
    const busy = await signUp(test.app)
    for (let offers = 0; offers < 31; offers++) await openDeal(test.app, { buyer: deal.buyer, seller: busy })
    await vi.waitFor(async () => expect((await busy.get('/eep/audit-log')).json().total).toBe(31), LONG)
    const browser = await browserOf(test.app, busy)
    const path = `/manage/profiles/${busy.account.active_profile_id}/audit-log`
    const first = await browser.open(`${path}?type=commerce.offer`)
    expect(rowsOf(first)).toHaveLength(30)
    const [, next = ''] = /<a rel="next" href="([^"]+)"/.exec(first.body) ?? []
    expect(next).toContain('type=commerce.offer')
    const second = await browser.open(next.replaceAll('&amp;', '&'))
    expect(rowsOf(second)).toHaveLength(1)
    expect(second.body).not.toContain('rel="next"')
    expect((await browser.open(`${path}?cursor=nothing`)).statusCode).toBe(400)
  })

  it('is open to the owner alone, and only for the own log', async () => {
    const { seller: owner } = deal
    const { id } = (await owner.get('/auth/me')).json().profiles[0]
    const profile = {
      owner,
      id,
      username: owner.account.username,
      path: `/profiles/u/${owner.account.username}`,
      team: `/profiles/${id}/team`,
    }
    const admin = await browserOfMember(test.app, profile, 'admin')
    expect((await admin.open(path)).statusCode).toBe(403)
    expect((await admin.open(`/manage/profiles/${id}/sales`)).body).not.toContain('/audit-log"')
    expect((await (await browserOf(test.app, await signUp(test.app))).open(path)).statusCode).toBe(403)
  })
})
