import { randomUUID } from 'node:crypto'
import type { NewWebhook } from '../../ports/storage/webhooks.ts'
import { freshName } from './fresh.ts'

const moment = new Date('2026-03-04T05:06:07.008Z')

/** A webhook to insert, of a public event source. */
export const newWebhook = (accountId: string, changes: Partial<NewWebhook> = {}): NewWebhook => ({
  id: freshName('sub_'),
  accountId,
  profileId: null,
  apiKeyId: null,
  sourceDid: 'did:web:profiles.example:u:ada',
  sourceProfileId: null,
  eventTypes: ['content.*', 'entity.updated'],
  deliveryUrl: 'https://receiver.example/hooks?of=us',
  deliveryFormat: 'structured',
  filter: null,
  maxBatchSize: 1,
  maxBatchWaitMs: 0,
  leaseSeconds: 86_400,
  metadata: {},
  tier: null,
  fingerprint: randomUUID(),
  secret: `sealed ${randomUUID()}`,
  createdAt: moment,
  verificationExpiresAt: new Date(moment.getTime() + 60_000),
  ...changes,
})
