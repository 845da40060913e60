import { randomUUID } from 'node:crypto'
import type { Purchase, Settlement } from '../../ports/payment-rail.ts'
import type { Negotiation, NegotiationMove } from '../../ports/storage/commerce.ts'
import type { NewGrant } from '../../ports/storage/entitlements.ts'
import type { Listing, Review } from '../../ports/storage/listings.ts'
import type { NewPayment, Receipt } from '../../ports/storage/payments.ts'
import { freshHash, freshName, later, moment } from './fresh.ts'

/** A grant to a payer. Default: without an end; of a purchase, unless `receiptId` is null. */
export const newGrant = (profileId: number, changes: Partial<NewGrant> = {}): NewGrant => ({
  id: randomUUID(),
  profileId,
  resourcePattern: 'content.notes.*',
  payerWalletAddress: `wallet:${freshName()}`,
  payerNetwork: 'cash:test',
  tier: 'reader',
  receiptId: `rcpt_${freshName('r')}`,
  reason: changes.receiptId === null ? 'hand' : 'purchase',
  validUntil: null,
  createdAt: moment,
  ...changes,
})

/** A purchase of a page for 0.01 usd. */
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

/** A payment with a new credential and a new open key. */
export const newPayment = (changes: Partial<NewPayment> = {}): NewPayment => ({
  id: randomUUID(),
  rail: 'cash',
  credentialId: freshName('credential'),
  fingerprint: freshName('fingerprint'),
  expiresAt: later(120_000),
  payer: { wallet: 'wallet:ada', network: 'cash:test' },
  purchase: newPurchase(),
  proof: { signature: 'signed' },
  checkpoint: { block: 7 },
  openKey: freshName('payer|resource'),
  payerAccountId: randomUUID(),
  payerDid: 'did:web:agents.example:helper',
  payerBot: 'https://crawler.example',
  gateHitAt: moment,
  challengeIssuedAt: later(1),
  timelineBasis: 'challenge',
  createdAt: later(2),
  ...changes,
})

/** A settlement of one cent. */
export const newSettlement = (changes: Partial<Settlement> = {}): Settlement => ({
  reference: freshName('reference'),
  transaction: '0x1234',
  network: 'cash:test',
  amount: { atomic: '10000', decimal: '0.01', asset: 'cash', currency: 'usd' },
  payer: { wallet: 'wallet:ada', network: 'cash:test', did: 'did:web:agents.example:helper' },
  settledAt: later(3_003),
  headers: { 'Payment-Receipt': 'abc' },
  ...changes,
})

/** A receipt with a new id, paid by a new account and agent. */
export const newReceipt = (changes: Partial<Receipt> = {}): Receipt => ({
  receiptId: `rcpt_${freshName('r')}`,
  seller: { profileId: 1, did: 'did:web:profiles.example:u:ada', accountId: randomUUID() },
  resource: 'content.notes.engines',
  resourcePattern: 'content.notes.*',
  tier: 'reader',
  per: 'day',
  amount: { atomic: '10000', decimal: '0.01', asset: 'cash', currency: 'usd' },
  commissionBps: 250,
  rail: 'cash',
  settlement: { reference: freshName('reference'), transaction: '0x1234', network: 'cash:test' },
  payerDid: `did:web:agents.example:${freshName()}`,
  payerAccountId: randomUUID(),
  payerWalletAddress: 'wallet:ada',
  payerNetwork: 'cash:test',
  timeline: {
    gateHitAt: moment,
    challengeIssuedAt: later(1),
    basis: 'challenge',
    paidAt: later(2),
    settledAt: later(3),
  },
  issuedAt: later(4),
  signature: 'eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl',
  ...changes,
})

/** An hour of advice, listed by a profile at a fixed price. */
export const newListing = (profileId: number, changes: Partial<Listing> = {}): Omit<Listing, 'scores'> => ({
  id: `svc_${freshHash().slice(0, 32)}`,
  profileId,
  details: {
    name: 'Advice',
    category: 'consulting',
    pricing: { model: 'fixed', currency: 'usd', amount: 100 },
    delivery: 'async',
    negotiable: false,
    status: 'active',
  },
  createdAt: moment,
  updatedAt: moment,
  ...changes,
})

/** A negotiation between two profiles, open for an hour. */
export const newNegotiation = (
  sellerProfileId: number,
  buyerProfileId: number | null,
  changes: Partial<Negotiation> = {},
): Negotiation => ({
  id: `neg_${freshHash().slice(0, 32)}`,
  sellerProfileId,
  sellerDid: 'did:web:profiles.example:u:seller',
  buyerProfileId,
  buyerDid: `did:web:profiles.example:u:${freshName('buyer')}`,
  service: 'Advice',
  pricingMode: 'negotiable',
  metadata: { topic: 'engines' },
  state: 'open',
  version: 1,
  offeredBy: 'buyer',
  pricing: { model: 'fixed', currency: 'usd', amount: 90 },
  terms: { delivery: 'async', expires_in: 3_600, conditions: ['By Friday'] },
  expiresAt: new Date(Date.now() + 3_600_000),
  invoice: null,
  receipt: null,
  dispute: null,
  createdAt: moment,
  updatedAt: moment,
  ...changes,
})

/** A move of the buyer. Default: the first offer. */
export const newMove = (changes: Partial<NegotiationMove> = {}): NegotiationMove => ({
  version: 1,
  action: 'offer',
  state: 'open',
  by: 'buyer',
  accountId: randomUUID(),
  data: { reason: 'As we said' },
  at: moment,
  ...changes,
})

/** A review of a listing after a completed negotiation. */
export const newReview = (
  service: Pick<Listing, 'id' | 'profileId'>,
  negotiationId: string,
  changes: Partial<Review> = {},
): Review => ({
  id: randomUUID(),
  serviceId: service.id,
  profileId: service.profileId,
  negotiationId,
  reviewerProfileId: null,
  reviewerDid: 'did:web:agents.example:buyer',
  score: 4,
  comment: 'As described',
  createdAt: moment,
  ...changes,
})
