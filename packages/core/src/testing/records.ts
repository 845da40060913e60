import type { Purchase } from '../ports/payment-rail.ts'

/** Something for sale: a page at one cent of a dollar. */
export const newPurchase = (changes: Partial<Purchase> = {}): Purchase => ({
  profileId: 1,
  sellerDid: 'did:web:profiles.example:u:ada',
  resource: 'content.notes.engines',
  pattern: 'content.notes.*',
  tier: 'reader',
  access: ['content.notes.*'],
  rails: null,
  per: 'day',
  price: { amount: '0.01', currency: 'usd' },
  shown: {
    url: 'https://profiles.example/u/ada/content/notes/engines',
    description: 'Engines',
    mimeType: 'text/markdown',
  },
  payTo: {},
  ...changes,
})
