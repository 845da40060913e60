import { describe, expect, it } from 'vitest'
import type { Gate } from '../../../../ports/storage/gates.ts'
import type { Profile } from '../../../../ports/storage/profiles.ts'
import type { GatedResource } from '../access/resource.ts'
import { ANONYMOUS, createOfferCache, type OfferKey } from './offer-cache.ts'
import type { ForSale } from './sale.ts'

describe('the cache of offers', () => {
  // The cache reads the version of a gate only.
  const gate = { version: 1 } as unknown as Gate
  const forSale = {} as ForSale
  const payTo = {}
  const page: GatedResource = {
    profile: { id: 1 } as Profile,
    name: 'content.page',
    path: '/u/ada/content/page',
    description: 'A page',
    preview: 'How it begins',
    role: undefined,
  }
  const key: OfferKey = {
    resource: page,
    visitor: { mimeType: 'text/markdown', preference: [] },
    accessKey: ANONYMOUS,
  }

  /** A cache with one offer, made at the beginning of a second. */
  function cacheWithOffer() {
    let now = 1_000_000
    const cache = createOfferCache(() => new Date(now))
    cache.keep(gate, key, { forSale, payTo })
    return { cache, pass: (ms: number) => (now += ms) }
  }

  it('returns an offer until its second ends', () => {
    const { cache, pass } = cacheWithOffer()
    pass(999)
    expect(cache.find(gate, key)).toMatchObject({ forSale, payTo })
    pass(1)
    expect(cache.find(gate, key)).toBeUndefined()
  })

  const of = (resource: Partial<GatedResource>): OfferKey => ({ ...key, resource: { ...page, ...resource } })
  it.each<[string, Gate, OfferKey]>([
    ['another gate', { ...gate }, key],
    ['a changed profile', gate, of({ profile: { ...page.profile } })],
    ['a changed title', gate, of({ description: 'A better page' })],
    ['a changed preview', gate, of({ preview: null })],
    ['another page', gate, of({ path: '/u/ada/content/other' })],
    ['another resource at the same path', gate, of({ name: 'content.page.*' })],
    ['another format', gate, { ...key, visitor: { mimeType: 'application/json', preference: [] } }],
    ['a visitor who prefers a rail', gate, { ...key, visitor: { mimeType: 'text/markdown', preference: ['x402'] } }],
    ['another access decision', gate, { ...key, accessKey: '1' }],
  ])('has no offer for %s', (_what, ofGate, asked) => {
    expect(cacheWithOffer().cache.find(ofGate, asked)).toBeUndefined()
  })
})
