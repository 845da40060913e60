import type { JsonObject } from '../../kernel/json.ts'
import type { Page, PageRequest } from '../../kernel/page.ts'
import type { AccountEraser } from './erasure.ts'
import type { StoredEvent } from './events.ts'

/** The status of a webhook. `rejected`, `expired` and `cancelled` are final. */
export type WebhookStatus = 'pending_verification' | 'active' | 'paused' | 'rejected' | 'expired' | 'cancelled'

/**
 * Why a webhook is paused: by its owner, after failed deliveries, because of too many pending events, or because its
 * receiver responded with 410, or because the API key that created it has ended or its account lost the role in the source profile.
 */
export type PauseReason = 'owner' | 'failures' | 'backlog' | 'gone' | 'key_ended'

/** How events are encoded: as a JSON document, or as headers with the data as body. */
export type WebhookFormat = 'structured' | 'binary'

/** The settings of a webhook that its owner chooses. */
export interface WebhookTerms {
  readonly deliveryFormat: WebhookFormat
  /** Conditions on the envelope. */
  readonly filter: JsonObject | null
  readonly maxBatchSize: number
  readonly maxBatchWaitMs: number
  readonly leaseSeconds: number
  readonly metadata: Readonly<Record<string, string>>
  readonly tier: string | null
}

/** A webhook to insert. */
export interface NewWebhook extends WebhookTerms {
  readonly id: string
  readonly accountId: string
  /** The only profile of the API key that created it; null for all profiles of the account. */
  readonly profileId: number | null
  /** The API key that it depends on; null when it depends on the account alone. */
  readonly apiKeyId: number | null
  readonly sourceDid: string
  /** The profile whose events it gets; null for those of the service. */
  readonly sourceProfileId: number | null
  /** Types on the wire, and patterns of them. */
  readonly eventTypes: readonly string[]
  readonly deliveryUrl: string
  /** A digest of source, types and URL. An account has at most one webhook per fingerprint that has not ended. */
  readonly fingerprint: string
  /** Encrypted. */
  readonly secret: string
  readonly createdAt: Date
  readonly verificationExpiresAt: Date
}

/** A subscription to events that are delivered to a URL. */
export interface Webhook extends Omit<NewWebhook, 'secret'> {
  readonly status: WebhookStatus
  readonly pauseReason: PauseReason | null
  /** Encrypted; null once the webhook has ended. */
  readonly secret: string | null
  /** The secret before the last rotation, encrypted. */
  readonly previousSecret: string | null
  readonly previousSecretUntil: Date | null
  /** The number of deliveries that failed permanently since the last successful one. */
  readonly failureCount: number
  /** When its lease ends; null until it is verified. */
  readonly expiresAt: Date | null
  /** Since when events were dropped because its backlog was full; null while none were. */
  readonly missedSince: Date | null
  /** The number of pending deliveries. */
  readonly pending: number
}

/** Changes of a webhook. */
export interface WebhookChanges extends Partial<WebhookTerms> {
  readonly status?: WebhookStatus
  readonly pauseReason?: PauseReason | null
  /** Null: it depends on the account alone from now on. */
  readonly apiKeyId?: null
  readonly failureCount?: number
  readonly expiresAt?: Date
  /** When to announce the end of the lease; null when that is done. */
  readonly noticeAt?: Date | null
  readonly missedSince?: Date | null
  /** When it ended. Its secrets and pending deliveries are deleted. */
  readonly endedAt?: Date
}

/** The maximum number of webhooks of an account, and of those created since a given time. */
export interface WebhookLimits {
  readonly max: number
  readonly maxCreated: number
  readonly createdSince: Date
}

/** The result of inserting a webhook. `existing`: the one with the same source, types and URL that has not ended. */
export type WebhookInsertion =
  | { readonly outcome: 'inserted'; readonly webhook: Webhook }
  | { readonly outcome: 'existing'; readonly webhook: Webhook }
  | { readonly outcome: 'too_many' }
  | { readonly outcome: 'too_many_created' }

/** A webhook that may get an event. */
export type WebhookSubscriber = Pick<Webhook, 'id' | 'accountId' | 'sourceProfileId' | 'eventTypes'>

/** An event for a webhook. */
export interface WebhookEvent {
  readonly webhookId: string
  /** The cursor of the event. */
  readonly cursor: string
}

/** A pending delivery, with its event. */
export interface PendingDelivery {
  /** UUID; the same in each attempt. */
  readonly id: string
  readonly cursor: string
  /** `undefined` when the log no longer has the event. */
  readonly event: StoredEvent | undefined
  /** The number of failed attempts. */
  readonly attempts: number
  /** Whether the owner requested it again. Its failure does not count. */
  readonly isRepeat: boolean
  readonly createdAt: Date
  readonly dueAt: Date
}

/** The outcome of an attempt; `undeliverable` is that of the last one. */
export type WebhookOutcome = 'delivered' | 'failed' | 'undeliverable'

/** One attempt to deliver one event, as shown to the owner. */
export interface WebhookAttempt {
  readonly cursor: string
  /** From 1. */
  readonly attempt: number
  readonly at: Date
  /** Null without a response. */
  readonly statusCode: number | null
  readonly responseTimeMs: number
  readonly outcome: WebhookOutcome
  /** An error code; null when it was delivered. */
  readonly error: string | null
  /** The header `Retry-After` of a 429 or 503, as the receiver sent it; else null. */
  readonly retryAfter: string | null
}

/** The process that delivers the events of a webhook. */
export interface WebhookLease {
  readonly webhookId: string
  /** Unique for each process. */
  readonly holder: string
}

/** The outcomes of some deliveries of a webhook. */
export interface DeliveryReport {
  readonly attempts: readonly WebhookAttempt[]
  /** Ids of deliveries that were received or given up. */
  readonly settled: readonly string[]
  /** Ids of deliveries to discard without a trace, because the webhook must not get them after all. */
  readonly dropped: readonly string[]
  /** Ids of deliveries to retry, and when. */
  readonly retried?: { readonly ids: readonly string[]; readonly at: Date } | undefined
  /** The receiver asked to wait: nothing is delivered to the webhook before. */
  readonly notBefore?: Date | undefined
  /** How to change the failure count. */
  readonly failures: 'keep' | 'reset' | 'raise'
}

/** Statistics about the deliveries of a webhook. */
export interface WebhookHealth {
  readonly delivered: number
  readonly failed: number
  readonly p95Ms: number | null
  readonly lastFailure: WebhookAttempt | null
}

/** Webhooks, for reading. */
export interface WebhookReader {
  /** Returns a webhook, also a paused one; undefined when it does not exist. */
  get(id: string): Promise<Webhook | undefined>
  /**
   * The webhooks of an account without cancelled ones, by (created_at, id) descending; with a profile only those that act
   * for that profile, with a source only those that receive its events.
   */
  listOfAccount(
    accountId: string,
    page: PageRequest,
    filter?: { readonly profileId?: number | undefined; readonly sourceProfileId?: number | undefined },
  ): Promise<Page<Webhook>>
  /**
   * The webhooks that get events of these profiles, or of the service (null), unless they have ended, miss events or are paused
   * with the reason `key_ended`.
   */
  listSubscribers(sources: readonly (number | null)[]): Promise<readonly WebhookSubscriber[]>
  /** Whether `claim` finds a webhook at this time. Takes no locks. */
  isDue(now: Date): Promise<boolean>
  /** The pending deliveries, in the order in which they are due. */
  listPending(id: string, limit: number): Promise<readonly PendingDelivery[]>
  /** The attempts of a webhook, newest first. */
  listAttempts(id: string, page: PageRequest): Promise<Page<WebhookAttempt>>
  /** Statistics about the attempts since this time. */
  getHealth(id: string, since: Date): Promise<WebhookHealth>
}

/** Webhooks, and the deliveries to them. */
export interface WebhookStore extends WebhookReader, AccountEraser {
  /**
   * Inserts a webhook in the state `pending_verification`. Concurrent calls for one account wait for each other, so the
   * limits hold and the same webhook is inserted once. `undefined` when the account is gone.
   */
  insert(webhook: NewWebhook, limits: WebhookLimits): Promise<WebhookInsertion | undefined>
  /**
   * Changes a webhook in one of these states; `undefined` when it is in another one. Exactly one of concurrent calls that
   * leave the same state succeeds. A change to `active` ends the time that its receiver asked to wait (`notBefore`).
   */
  update(id: string, from: readonly WebhookStatus[], changes: WebhookChanges): Promise<Webhook | undefined>
  /** Replaces the secret, and keeps the old one as the previous secret. `undefined` when the webhook has ended. */
  rotateSecret(id: string, secret: string, previousUntil: Date): Promise<Webhook | undefined>
  /** Cancels all webhooks of an account; returns how many had not ended. */
  cancelOfAccount(accountId: string, at: Date): Promise<number>
  /** Gives the webhooks of one API key to another key of the account. */
  moveToKey(accountId: string, keys: { readonly from: number; readonly to: number }): Promise<void>
  /**
   * Pauses verified webhooks whose API key is revoked, expired or deleted, with the reason `key_ended`, and deletes their pending
   * deliveries. Paused ones get this reason too. Returns the changed webhooks, at most `limit`; each is returned to one of
   * concurrent calls.
   */
  pauseOfEndedKeys(now: Date, limit: number): Promise<readonly Webhook[]>
  /**
   * Pauses the verified webhooks of an account for one source profile that depend on an API key, as `pauseOfEndedKeys` does, unless
   * the account owns the profile or is a member of its team now. Returns the changed webhooks; each is returned to one of concurrent calls.
   */
  pauseOfFormerMember(accountId: string, sourceProfileId: number): Promise<readonly Webhook[]>

  /**
   * Adds deliveries after the pending ones, in this order, each event once per webhook. Webhooks that have ended, miss events
   * already or lost their key get none. One with `maxPending` pending deliveries is paused with the reason `backlog`, misses events
   * from now on, and its owner must be notified. Returns the webhooks paused in this way.
   */
  enqueue(
    events: readonly WebhookEvent[],
    options: { readonly now: Date; readonly maxPending: number },
  ): Promise<readonly Webhook[]>
  /**
   * Adds deliveries again that the webhook had before, if the log still has their events, after the pending ones and in the
   * order of the log. Returns their cursors. `undefined`, and nothing is added, when more than `maxPending` would be
   * pending.
   */
  redeliver(
    id: string,
    cursors: readonly string[],
    options: { readonly now: Date; readonly maxPending: number },
  ): Promise<readonly string[] | undefined>
  /**
   * Adds a delivery of each event of a webhook's source since a given time, of these types, in the order of the log, until
   * `maxPending` are pending. Events that it had before are delivered again. Returns how many of them are pending now;
   * `undefined` when there are such events but none can be added.
   */
  replay(
    id: string,
    events: { readonly since: Date; readonly until: string; readonly types: readonly string[] },
    options: { readonly now: Date; readonly maxPending: number },
  ): Promise<number | undefined>

  /**
   * Leases active webhooks whose account is neither banned nor being deleted and whose first delivery is due, unless their receiver
   * asked to wait, and those whose verification another process abandoned. Of concurrent calls one gets each of them. Leases last `leaseMs` by the
   * clock of the database.
   */
  claim(
    holder: string,
    options: { readonly now: Date; readonly limit: number; readonly leaseMs: number },
  ): Promise<readonly Webhook[]>
  /** Acquires the lease of one webhook; false while another process has it. */
  hold(lease: WebhookLease, leaseMs: number): Promise<boolean>
  /**
   * Stores the outcomes of deliveries, and renews the lease. `undefined`, and nothing is stored, when another process has
   * the lease or the webhook has ended.
   */
  report(lease: WebhookLease, report: DeliveryReport, leaseMs: number): Promise<Webhook | undefined>
  /**
   * Releases a lease. The webhook is due again when its first delivery is, but not before `notBefore` unless a batch is
   * full.
   */
  release(lease: WebhookLease, notBefore?: Date): Promise<void>

  /** Ends webhooks whose lease has ended, at most `limit`. Of concurrent calls one gets each of them. */
  expire(now: Date, limit: number): Promise<readonly Webhook[]>
  /** Takes at most `limit` webhooks whose end is to be announced. Each is returned once. */
  takeNotices(now: Date, limit: number): Promise<readonly Webhook[]>
  /** Deletes attempts, settled deliveries and webhooks that ended before a moment, at most `limit` of each. */
  prune(before: Date, limit: number): Promise<number>
}
