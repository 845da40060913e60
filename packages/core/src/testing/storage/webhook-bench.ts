import assert from 'node:assert/strict'
import type { StoredEvent } from '../../ports/storage/events.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import type {
  DeliveryReport,
  NewWebhook,
  Webhook,
  WebhookAttempt,
  WebhookLimits,
} from '../../ports/storage/webhooks.ts'
import { newEvent, newWebhook } from '../records.ts'
import { type Bench, HOUR, MINUTE, present } from './bench.ts'

export const at = new Date('2026-03-04T05:06:07.008Z')
export const later = (ms: number) => new Date(at.getTime() + ms)
export const LIMITS: WebhookLimits = { max: 50, maxCreated: 100, createdSince: later(-HOUR) }
const REPORT: DeliveryReport = { attempts: [], settled: [], dropped: [], failures: 'keep' }
/** A time at which every webhook of the cases is due. */
export const DUE = later(HOUR)

type Tx = Stores<'webhooks'>

/** Functions that the cases about webhooks share. */
export function createWebhookBench(bench: Bench<'webhooks'>) {
  const inserting =
    (webhook: NewWebhook, limits = LIMITS) =>
    (tx: Tx) =>
      tx.webhooks.insert(webhook, limits)
  const inserted = async (accountId: string, changes: Partial<NewWebhook> = {}): Promise<Webhook> => {
    const made = present(await bench.write(inserting(newWebhook(accountId, changes))))
    assert.equal(made.outcome, 'inserted')
    return (made as Extract<typeof made, { webhook: Webhook }>).webhook
  }
  const activate = async ({ id }: Webhook): Promise<Webhook> => {
    const changes = { status: 'active', expiresAt: later(100 * HOUR) } as const
    return present(await bench.write((tx) => tx.webhooks.update(id, ['pending_verification'], changes)))
  }
  const active = async (changes: Partial<NewWebhook> = {}, accountId?: string): Promise<Webhook> =>
    activate(await inserted(accountId ?? (await bench.account()).id, changes))
  /** Events of a profile in the log, in their order. */
  const logged = async (count: number, profileId: number | null = null, when = at): Promise<readonly StoredEvent[]> => {
    const start = await bench.endOfLog()
    const events = Array.from({ length: count }, () => newEvent({ profileId, at: when }))
    await bench.write((tx) => tx.events.append(events))
    const ids = new Set(events.map(({ id }) => id))
    return (await bench.events(start)).filter(({ id }) => ids.has(id))
  }
  const enqueuing =
    (webhook: Webhook, events: readonly StoredEvent[], maxPending = 1_000, now = at) =>
    (tx: Tx) =>
      tx.webhooks.enqueue(
        events.map(({ cursor }) => ({ webhookId: webhook.id, cursor })),
        { now, maxPending },
      )
  const pendingOf = ({ id }: Webhook) => bench.read.webhooks.listPending(id, 100)
  const cursorsOf = async (webhook: Webhook) => (await pendingOf(webhook)).map(({ cursor }) => cursor)
  const get = async ({ id }: Webhook) => present(await bench.read.webhooks.get(id))
  const claiming =
    (holder: string, now = DUE, leaseMs = MINUTE) =>
    async (tx: Tx) =>
      (await tx.webhooks.claim(holder, { now, limit: 10_000, leaseMs })).map(({ id }) => id)
  const reporting =
    ({ id }: Webhook, holder: string, report: Partial<DeliveryReport>) =>
    (tx: Tx) =>
      tx.webhooks.report({ webhookId: id, holder }, { ...REPORT, ...report }, MINUTE)
  const attemptOf = ({ cursor }: StoredEvent, changes: Partial<WebhookAttempt> = {}): WebhookAttempt => ({
    cursor,
    attempt: 1,
    at,
    statusCode: 204,
    responseTimeMs: 12,
    retryAfter: null,
    outcome: 'delivered',
    error: null,
    ...changes,
  })

  return {
    inserting,
    inserted,
    active,
    logged,
    enqueuing,
    pendingOf,
    cursorsOf,
    get,
    claiming,
    reporting,
    attemptOf,
  }
}
