import { randomUUID } from 'node:crypto'
import type { NewEvent } from '../events/store.ts'
import type { NewAccount } from '../modules/accounts/store.ts'
import type { NewApiKey } from '../modules/api-keys/store.ts'
import type { Negotiation, NegotiationMove } from '../modules/commerce/store.ts'
import type { NewCategory, NewPage } from '../modules/content/store.ts'
import type { FileQuota, FilesToKeep, NewUpload, UploadedFile } from '../modules/files/store.ts'
import type { Entitlement } from '../modules/gates/store.ts'
import type { NewAttempt } from '../modules/idempotency/store.ts'
import type { NewJob } from '../modules/jobs/store.ts'
import type { Identity } from '../modules/oauth/store.ts'
import type { NewPayment, Receipt } from '../modules/payments/store.ts'
import type { NewProfile, Profile } from '../modules/profiles/store.ts'
import type { Review, Service } from '../modules/services/store.ts'
import type { Member, NewInvitation, NewTransfer } from '../modules/teams/store.ts'
import type { Token } from '../modules/tokens/store.ts'
import type { NewPayout, Wallet } from '../modules/wallets/store.ts'
import type { Purchase, Settlement } from '../ports/payment-rail.ts'

const moment = new Date('2026-03-04T05:06:07.089Z')
const later = (ms: number) => new Date(moment.getTime() + ms)

/** A name nobody has: `ada-` and sixteen signs of `[a-z0-9]`. */
export const freshName = (stem = 'ada'): string => `${stem}-${randomUUID().replaceAll('-', '').slice(0, 16)}`

const freshHash = (): string => `${randomUUID()}${randomUUID()}`.replaceAll('-', '')

/** An account under a fresh mail and username. */
export function newAccount(changes: Partial<NewAccount> = {}): NewAccount {
  const username = freshName()
  return {
    id: randomUUID(),
    email: `${username}@example.com`,
    username,
    fullName: 'Ada Lovelace',
    passwordHash: '$argon2id$v=19$m=16,t=2,p=1$c2FsdHNhbHQ$aGFzaA',
    createdAt: moment,
    ...changes,
  }
}

/** A token of an account, or of nobody, that is good for an hour and counts no tries. */
export const newToken = (accountId: string | null, changes: Partial<Token> = {}): Token => ({
  id: randomUUID(),
  purpose: 'reset_password',
  hash: freshHash(),
  accountId,
  data: { next: '/home' },
  triesLeft: null,
  createdAt: moment,
  expiresAt: new Date(Date.now() + 3_600_000),
  ...changes,
})

/** An account as a user of GitHub. */
export const newIdentity = (accountId: string, changes: Partial<Identity> = {}): Identity => ({
  provider: 'github',
  subject: freshName('subject'),
  accountId,
  email: `${freshName()}@example.com`,
  createdAt: moment,
  ...changes,
})

/** A request of an account under a fresh key, remembered for an hour. */
export const newAttempt = (accountId: string, changes: Partial<NewAttempt> = {}): NewAttempt => ({
  accountId,
  route: 'POST /manage/pages',
  key: freshName('key'),
  fingerprint: freshHash(),
  holder: randomUUID(),
  expiresAt: new Date(Date.now() + 3_600_000),
  ...changes,
})

/** A wallet of an account on Base, with an address of its own. */
export const newWallet = (accountId: string, changes: Partial<Wallet> = {}): Wallet => ({
  id: randomUUID(),
  accountId,
  address: `0x${freshHash().slice(0, 40)}`,
  chainId: 8453,
  verifiedAt: moment,
  ...changes,
})

/** A payout to a wallet on its network. */
export const newPayout = ({ id, accountId, chainId }: Wallet, changes: Partial<NewPayout> = {}): NewPayout => ({
  accountId,
  walletId: id,
  network: `eip155:${chainId}`,
  asset: 'usdc',
  enabled: true,
  createdAt: moment,
  ...changes,
})

/** A key for all of an account that never expires. */
export const newApiKey = (accountId: string, changes: Partial<NewApiKey> = {}): NewApiKey => ({
  accountId,
  profileId: null,
  parentId: null,
  name: 'Laptop',
  hash: freshHash(),
  masked: 'eep_abcd…wxyz',
  scopes: ['read:profiles', 'write:content'],
  createdAt: moment,
  expiresAt: null,
  ...changes,
})

/** A profile with every field set, under a fresh username. */
export const newProfile = (ownerAccountId: string, changes: Partial<NewProfile> = {}): NewProfile => ({
  ownerAccountId,
  type: 'person',
  username: freshName(),
  fullName: 'Ada Lovelace',
  bio: 'Notes on the engine',
  avatarUrl: 'https://example.com/ada.png',
  email: 'public@example.com',
  skills: ['mathematics', 'poetry'],
  socials: { github: 'https://github.com/ada' },
  keywords: ['engine'],
  agentInstructions: 'Be exact.',
  agentRules: 'Quote the source.',
  capabilities: ['did:read'],
  customFields: { born: 1815 },
  typeData: { occupation: 'analyst' },
  visibility: 'public',
  createdAt: moment,
  ...changes,
})

/** An account as an editor of a profile. */
export const newMember = (profileId: number, accountId: string, changes: Partial<Member> = {}): Member => ({
  profileId,
  accountId,
  role: 'editor',
  createdAt: moment,
  ...changes,
})

/** An invitation for an account, made by another, that is good for an hour. */
export const newInvitation = (
  profileId: number,
  invitedBy: string,
  invitee: Pick<NewInvitation, 'accountId' | 'email'>,
  changes: Partial<Omit<NewInvitation, 'accountId' | 'email'>> = {},
): NewInvitation =>
  ({
    profileId,
    invitedBy,
    role: 'editor',
    hash: freshHash(),
    createdAt: moment,
    expiresAt: new Date(Date.now() + 3_600_000),
    ...invitee,
    ...changes,
  }) as NewInvitation

/** The offer of a profile to an account, open for an hour. */
export const newTransfer = (
  { id, ownerAccountId }: Pick<Profile, 'id' | 'ownerAccountId'>,
  toAccountId: string,
  changes: Partial<NewTransfer> = {},
): NewTransfer => ({
  profileId: id,
  fromAccountId: ownerAccountId,
  toAccountId,
  createdAt: moment,
  expiresAt: new Date(Date.now() + 3_600_000),
  ...changes,
})

/** A category at the top of a profile. */
export const newCategory = (profileId: number, changes: Partial<NewCategory> = {}): NewCategory => ({
  profileId,
  parentId: null,
  name: 'Notes',
  slug: freshName('notes'),
  description: 'What was noted',
  icon: '📓',
  visibility: 'public',
  position: 0,
  createdAt: moment,
  ...changes,
})

/** A published page at the top of a profile, written by an account. */
export const newPage = (profileId: number, createdBy: string, changes: Partial<NewPage> = {}): NewPage => ({
  profileId,
  createdBy,
  categoryId: null,
  title: 'On the engine',
  slug: freshName('engine'),
  body: '# The engine\n\nIt weaves *algebraical patterns*.\n',
  excerpt: 'It weaves.',
  status: 'published',
  position: 0,
  createdAt: moment,
  publishedAt: later(1_000),
  ...changes,
})

/** What a payer bought: for ever, unless told. */
export const newEntitlement = (profileId: number, changes: Partial<Entitlement> = {}): Entitlement => ({
  id: randomUUID(),
  profileId,
  resourcePattern: 'content.notes.*',
  payerWalletAddress: `wallet:${freshName()}`,
  payerNetwork: 'cash:test',
  tier: 'reader',
  receiptId: `rcpt_${freshName('r')}`,
  validUntil: null,
  createdAt: moment,
  ...changes,
})

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

/** A payment of a fresh credential, with a fresh open key. */
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
  gateHitAt: moment,
  challengeIssuedAt: later(1),
  createdAt: later(2),
  ...changes,
})

/** Money that moved: one cent. */
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

/** A receipt under a fresh id, paid by a fresh account and agent. */
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
  timeline: { gateHitAt: moment, challengeIssuedAt: later(1), paidAt: later(2), settledAt: later(3) },
  issuedAt: later(4),
  signature: 'eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl',
  ...changes,
})

/** An hour of advice, listed by a profile at a fixed price. */
export const newService = (profileId: number, changes: Partial<Service> = {}): Omit<Service, 'scores'> => ({
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

/** An offer of one profile to another, open for an hour. */
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

/** A move of the buyer; unless told the first offer. */
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

/** A review of a service after a deal. */
export const newReview = (
  service: Pick<Service, 'id' | 'profileId'>,
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

/** An event of the log, about no profile unless told. */
export const newEvent = (changes: Partial<NewEvent> = {}): NewEvent => ({
  id: randomUUID(),
  type: 'content.page_saved',
  profileId: null,
  accountId: randomUUID(),
  data: { pageId: 7 },
  at: moment,
  ...changes,
})

/** A job that an account asks for. */
export const newJob = (accountId: string, changes: Partial<NewJob> = {}): NewJob => {
  const { id = randomUUID(), kind = 'test', profileId = null, input = {}, createdAt = moment } = changes
  return { id, kind, accountId, profileId, input, createdAt }
}

/** The place of a file that an account sends. */
export const newUpload = (accountId: string, changes: Partial<NewUpload> = {}): NewUpload => ({
  key: randomUUID(),
  accountId,
  createdAt: moment,
  ...changes,
})

/** Seven bytes of text that have come. */
export const uploaded = ({ key }: NewUpload, changes: Partial<UploadedFile> = {}): UploadedFile => ({
  key,
  filename: 'notes.txt',
  size: 7,
  contentType: 'text/plain; charset=utf-8',
  sha256: freshHash(),
  ...changes,
})

/** Uploads as files of a profile, under a quota that is far away unless told. */
export const keeping = (
  { id, ownerAccountId }: Pick<Profile, 'id' | 'ownerAccountId'>,
  files: readonly UploadedFile[],
  quota: Partial<FileQuota> = {},
): FilesToKeep => ({
  profileId: id,
  ownerAccountId,
  files,
  quota: { files: 1_000, bytes: 1_000_000, ...quota },
})
