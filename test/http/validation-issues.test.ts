import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCashApp, openShop, type Shop } from '../support/shop.ts'

let test: Awaited<ReturnType<typeof createCashApp>>
let shop: Shop
beforeAll(async () => {
  test = await createCashApp()
  shop = await openShop(test.app, 'ada')
})
afterAll(() => test.close())

describe('the issues of a wrong body', () => {
  const price = { type: 'payment', amount: 0.01, currency: 'usdc', per: 'day' }
  const combined = { type: 'combined', combine_mode: 'any', requirements: [{ type: 'trust', min_score: 5 }, price] }

  it.each([
    ['a price of nothing', { ...price, amount: 0 }, '/amount'],
    ['an unknown period', { ...price, per: 'decade' }, '/per'],
    ['a score over 100', { type: 'trust', min_score: 101 }, '/min_score'],
    ['a member too many', { ...combined, colour: 'red' }, ''],
    [
      'a price of nothing in a combination',
      { ...combined, requirements: [price, { ...price, amount: 0 }] },
      '/requirements/1/amount',
    ],
    ['an extension without its prefix', { type: 'moon-phase' }, ''],
    ['no type', {}, ''],
  ])('names the invalid member of a requirement: %s', async (_, requirement, member) => {
    const paid = { requirements: [requirement], access: ['content.*'] }
    const gate = { default_tier: 'open', tiers: { open: { requirements: [], access: ['profile.*'] }, paid } }
    const { error } = (await shop.put(`/eep/gates/${shop.did}`, gate)).json()
    expect(error.details.issues.map(({ path }: { path: string }) => path)).toEqual([
      `/tiers/paid/requirements/0${member}`,
    ])
    expect(error.message).not.toMatch(/Invalid (input|string)$|must match pattern/)
  })

  it('describes missing members in plain words', async () => {
    expect((await shop.post('/auth/login', {})).json().error.message).toBe('body/email: Missing; expected string')
    expect((await shop.get('/manage/pages')).json().error.message).toBe('query/profile_id: Missing or not a number')
  })
})
