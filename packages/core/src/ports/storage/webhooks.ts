import type { JsonObject } from '../../kernel/json.ts'
import type { Page, PageRequest } from '../../kernel/page.ts'
import type { AccountEraser } from './erasure.ts'
import type { StoredEvent } from './events.ts'

/** Where a webhook is in its life. `rejected`, `expired` and `cancelled` are final. */
export type WebhookStatus = 'pending_verification' | 'active' | 'paused' | 'rejected' | 'expired' | 'cancelled'

/** Why a webhook is paused: by its owner, after failed deliveries, with too many events waiting, or refused by its receiver. */
export type PauseReason = 'owner' | 'failures' | 'backlog' | 'gone'

/** How events are written: as a JSON document, or as headers and the bare data. */
export type WebhookFormat = 'structured' | 'binary'

/** What the owner of a webhook decides. */
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
  /** The only profile that the API key which made it acts for; null for all of the account. */
  readonly profileId: number | null
  readonly sourceDid: string
  /** The profile whose events it gets; null for those of the service. */
  readonly sourceProfileId: number | null
  /** Types on the wire, and patterns of them. */
  readonly eventTypes: readonly string[]
  readonly deliveryUrl: string
  /** A digest of source, types and URL: an account has one webhook that has not ended for each. */
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
  /** Deliveries that failed for good since the last one that was received. */
  readonly failureCount: number
  /** When its lease ends; null until it is verified. */
  readonly expiresAt: Date | null
  /** Since when events were not added to its full backlog; null while it is complete. */
  readonly missedSince: Date | null
  /** How many deliveries wait. */
  readonly pending: number
}

/** What changes about a webhook. */
export interface WebhookChanges extends Partial<WebhookTerms> {
  readonly status?: WebhookStatus
  readonly pauseReason?: PauseReason | null
  readonly failureCount?: number
  readonly expiresAt?: Date
  /** When to announce the end of the lease; null when that is done. */
  readonly noticeAt?: Date | null
  readonly missedSince?: Date | null
  /** When it ended. Its secrets and the deliveries that wait go with it. */
  readonly endedAt?: Date
}

/** How many webhooks an account may have, and may create since a moment. */
export interface WebhookLimits {
  readonly max: number
  readonly maxCreated: number
  readonly createdSince: Date
}

/** What came of inserting a webhook: `existing` is the one that has not ended for the same source, types and URL. */
export type WebhookInsertion =
  | { readonly outcome: 'inserted'; readonly webhook: Webhook }
  | { readonly outcome: 'existing'; readonly webhook: Webhook }
  | { readonly outcome: 'too_many' }
  | { readonly outcome: 'too_many_created' }

/** Whom an event may go to. */
export type WebhookSubscriber = Pick<Webhook, 'id' | 'accountId' | 'sourceProfileId' | 'eventTypes'>

/** An event for a webhook. */
export interface WebhookEvent {
  readonly webhookId: string
  /** The cursor of the event. */
  readonly cursor: string
}

/** A delivery that waits, with its event. */
export interface PendingDelivery {
  /** UUID; the same in each attempt. */
  readonly id: string
  readonly cursor: string
  /** `undefined` when the log no longer has the event. */
  readonly event: StoredEvent | undefined
  /** How many attempts failed. */
  readonly attempts: number
  /** Whether the owner asked for it again; its failure does not count. */
  readonly isRepeat: boolean
  readonly createdAt: Date
  readonly dueAt: Date
}

/** How one attempt ended; `undeliverable` is the last one. */
export type WebhookOutcome = 'delivered' | 'failed' | 'undeliverable'

/** One attempt to deliver one event, as its owner reads it. */
export interface WebhookAttempt {
  readonly cursor: string
  /** From 1. */
  readonly attempt: number
  readonly at: Date
  /** Null when there was no answer. */
  readonly statusCode: number | null
  readonly responseTimeMs: number
  readonly outcome: WebhookOutcome
  /** What failed, in a word; null when it was delivered. */
  readonly error: string | null
}

/** The process that delivers the events of a webhook. */
export interface WebhookLease {
  readonly webhookId: string
  /** Unique for each process. */
  readonly holder: string
}

/** What came of some deliveries of a webhook. */
export interface DeliveryReport {
  readonly attempts: readonly WebhookAttempt[]
  /** Ids of deliveries that were received, or are given up. */
  readonly settled: readonly string[]
  /** Ids of deliveries that the webhook does not get after all; nothing of them is kept. */
  readonly dropped: readonly string[]
  /** Ids of deliveries that are tried again, and when. */
  readonly retried?: { readonly ids: readonly string[]; readonly at: Date } | undefined
  /** What happens to the failure count. */
  readonly failures: 'keep' | 'reset' | 'raise'
}

/** How the deliveries of a webhook went. */
export interface WebhookHealth {
  readonly delivered: number
  readonly failed: number
  readonly p95Ms: number | null
  readonly lastFailure: WebhookAttempt | null
}

/** Webhooks, for reading. */
export interface WebhookReader {
  get(id: string): Promise<Webhook | undefined>
  /**
   * The webhooks of an account without cancelled ones, by (created_at, id) descending; with a profile only those that act
   * for that profile.
   */
  listOfAccount(
    accountId: string,
    page: PageRequest,
    of?: { readonly profileId?: number | undefined },
  ): Promise<Page<Webhook>>
  /** The webhooks that get events of these profiles, or of the service (null), unless they have ended or miss events. */
  listSubscribers(sources: readonly (number | null)[]): Promise<readonly WebhookSubscriber[]>
  /** The deliveries that wait, in the order in which they are due. */
  listPending(id: string, limit: number): Promise<readonly PendingDelivery[]>
  /** The attempts of a webhook, newest first. */
  listAttempts(id: string, page: PageRequest): Promise<Page<WebhookAttempt>>
  /** Figures about the attempts since a moment. */
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
   * Changes a webhook that has one of these states; `undefined` when it has another one. Of concurrent calls that leave
   * the same state exactly one changes it.
   */
  update(id: string, from: readonly WebhookStatus[], changes: WebhookChanges): Promise<Webhook | undefined>
  /** Makes the secret the previous one, and another one the secret. `undefined` when the webhook has ended. */
  rotateSecret(id: string, secret: string, previousUntil: Date): Promise<Webhook | undefined>
  /** Cancels all webhooks of an account; returns how many had not ended. */
  cancelOfAccount(accountId: string, at: Date): Promise<number>

  /**
   * Adds deliveries after those that wait, in this order, each event once for each webhook. Webhooks that have ended or
   * miss events already get none. One with `maxPending` waiting deliveries is paused with the reason `backlog`, and
   * misses events from now on, and its owner is to be notified; those are returned.
   */
  enqueue(
    events: readonly WebhookEvent[],
    options: { readonly now: Date; readonly maxPending: number },
  ): Promise<readonly Webhook[]>
  /**
   * Adds deliveries again, after those that wait and in the order of the log, that the webhook had and whose events the
   * log still has. Returns their cursors. `undefined`, and nothing is added, when more than `maxPending` would wait.
   */
  redeliver(
    id: string,
    cursors: readonly string[],
    options: { readonly now: Date; readonly maxPending: number },
  ): Promise<readonly string[] | undefined>
  /**
   * Adds a delivery of each event of the source of a webhook since a moment, of these types, in the order of the log, until
   * `maxPending` wait. Events that it had are delivered again. Returns how many of them wait now; `undefined` when there
   * are some and none of them can be added.
   */
  replay(
    id: string,
    events: { readonly since: Date; readonly until: string; readonly types: readonly string[] },
    options: { readonly now: Date; readonly maxPending: number },
  ): Promise<number | undefined>

  /**
   * Leases webhooks that are active, whose account is neither banned nor being deleted, and whose first delivery is due;
   * and those whose verification was left by a process. Of concurrent calls one gets each of them. Leases last `leaseMs`
   * by the clock of the database.
   */
  claim(
    holder: string,
    options: { readonly now: Date; readonly limit: number; readonly leaseMs: number },
  ): Promise<readonly Webhook[]>
  /** Takes the lease of one webhook; false while another process has it. */
  hold(lease: WebhookLease, leaseMs: number): Promise<boolean>
  /**
   * Stores what came of deliveries, and renews the lease. `undefined`, and nothing is stored, when another process has
   * the lease or the webhook has ended.
   */
  report(lease: WebhookLease, report: DeliveryReport, leaseMs: number): Promise<Webhook | undefined>
  /**
   * Ends a lease. The webhook is due again when its first delivery is; with `notBefore` not before that moment, unless a
   * batch is full.
   */
  release(lease: WebhookLease, notBefore?: Date): Promise<void>

  /** Ends webhooks whose lease has ended, at most `limit`. Of concurrent calls one gets each of them. */
  expire(now: Date, limit: number): Promise<readonly Webhook[]>
  /** The webhooks whose end is to be announced, each once, at most `limit`. */
  takeNotices(now: Date, limit: number): Promise<readonly Webhook[]>
  /** Deletes attempts, settled deliveries and webhooks that ended before a moment, at most `limit` of each. */
  prune(before: Date, limit: number): Promise<number>
}
