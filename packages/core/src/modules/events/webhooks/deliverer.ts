import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { asJson } from '../../../kernel/json.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import { parseRetryAfter } from '../../../kernel/retry-after.ts'
import { createTaskLoop } from '../../../kernel/task-loop.ts'
import { compareCursors, LOG_START } from '../../../ports/storage/events.ts'
import type { DeliveryReport, PendingDelivery, Webhook, WebhookAttempt } from '../../../ports/storage/webhooks.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { Metrics } from '../../../runtime/telemetry/metrics.ts'
import { mayReceive, type SignalEvent, type SignalService } from '../signals/index.ts'
import { conditionsOf, meets } from './conditions.ts'
import { deliveryRequest, type ReadyDelivery } from './delivery-request.ts'
import type { WebhookKeys } from './ended-keys.ts'
import { subscriptionPaused } from './events.ts'
import { deliveryAttempts, deliveryDuration } from './metrics.ts'
import type { ReceiverAnswer, ReceiverClient } from './receiver.ts'
import { createReporter } from './reporter.ts'
import { openSecrets } from './secrets.ts'

export interface DelivererDeps extends GuardedStorage<'webhooks' | 'eventRetention'> {
  readonly clock: Clock
  readonly keyring: Keyring
  readonly signals: Pick<SignalService, 'resolve'>
  readonly receivers: ReceiverClient
  readonly keys: WebhookKeys
  /** Delays before the second and each further attempt. */
  readonly retrySeconds: readonly number[]
  /** How many webhooks this instance serves at the same time. */
  readonly concurrency: number
  /** Whether all money of the service is play money. Each delivery then states it. */
  readonly isSandbox: boolean
  /** Verifies a webhook whose verification another process abandoned. */
  readonly verify: (webhook: Webhook, holder: string, signal: AbortSignal) => Promise<unknown>
  readonly metrics: Pick<Metrics, 'counter' | 'histogram'>
  readonly onError: (error: unknown) => void
}

const LEASE_MS = 30_000
const POLL_MS = 500
/** The maximum age of a webhook in memory while its backlog is sent. */
const REREAD_MS = 1_000
/** The number of deliveries to read in one query. */
const READ_AHEAD = 100
/** The number of consecutive failed deliveries after which a webhook is paused. */
const MAX_FAILURES = 5
const GONE = 410

/** Sends pending deliveries: in order for each webhook, and to many webhooks concurrently. */
export function createDeliverer(deps: DelivererDeps) {
  const {
    read,
    write,
    clock,
    keyring,
    signals,
    receivers,
    keys,
    retrySeconds,
    concurrency,
    isSandbox,
    verify,
    onError,
  } = deps
  const holder = randomUUID()
  const running = new Set<Promise<void>>()
  const maxAttempts = retrySeconds.length + 1
  const longestWaitMs = Math.max(0, ...retrySeconds) * 1_000
  const countDeliveries = deps.metrics.counter(deliveryAttempts)
  const duration = deps.metrics.histogram(deliveryDuration)

  function measure(outcome: string, deliveries: number, responseTimeMs: number): void {
    countDeliveries({ outcome }, deliveries)
    duration.observe({ outcome }, responseTimeMs / 1_000)
  }

  const loop = createTaskLoop(async (signal) => {
    try {
      const limit = concurrency - running.size
      const now = clock()
      // Most turns find nothing: one read takes less than a transaction.
      if (limit > 0 && !signal.aborted && (await read.webhooks.isDue(now))) {
        const options = { now, limit, leaseMs: LEASE_MS }
        const claimed = await write((tx) => tx.webhooks.claim(holder, options))
        for (const webhook of claimed) serve(webhook, signal)
        if (claimed.length > 0 && running.size < concurrency) loop.wake()
      }
    } catch (error) {
      if (!signal.aborted) onError(error)
    }
    return POLL_MS
  })

  function serve(webhook: Webhook, signal: AbortSignal): void {
    const run = serveNow(webhook, signal)
      .catch((error: unknown) => {
        if (!signal.aborted) onError(error)
      })
      .finally(() => {
        running.delete(run)
        if (running.size === concurrency - 1) loop.wake()
      })
    running.add(run)
  }

  async function serveNow(webhook: Webhook, signal: AbortSignal): Promise<void> {
    const lease = { webhookId: webhook.id, holder }
    if (webhook.status === 'pending_verification') {
      await verify(webhook, holder, signal)
      return
    }
    let notBefore: Date | undefined
    try {
      notBefore = await deliverPending(webhook, signal)
    } finally {
      await write((tx) => tx.webhooks.release(lease, notBefore))
    }
  }

  /** Delivers until nothing is due, a delivery fails, or the lease is lost. Returns the deadline of an incomplete batch. */
  async function deliverPending(claimed: Webhook, signal: AbortSignal): Promise<Date | undefined> {
    let webhook = claimed
    const reporter = createReporter({ webhook, holder, write, leaseMs: LEASE_MS })
    let secrets = await openSecrets(webhook, clock(), keyring)
    let scopes = await keys.scopesOf(webhook)
    let readAt = performance.now()

    const isOld = () => performance.now() - readAt >= REREAD_MS

    /** Reads the webhook again after a second: its owner may have been banned, or its secret or filter changed. */
    async function isCurrent(): Promise<boolean> {
      if (!isOld()) return true
      const [current, account] = await Promise.all([
        read.webhooks.get(webhook.id),
        read.accounts.get(webhook.accountId),
      ])
      if (current?.status !== 'active' || !account || account.bannedAt || account.deletionScheduledAt) return false
      webhook = current
      secrets = await openSecrets(webhook, clock(), keyring)
      scopes = await keys.scopesOf(webhook)
      readAt = performance.now()
      return true
    }

    for (;;) {
      if (scopes === undefined) {
        await keys.pauseEnded()
        return undefined
      }
      const limit = Math.max(READ_AHEAD, webhook.maxBatchSize)
      const pending = await read.webhooks.listPending(webhook.id, limit)
      const [first] = pending
      if (!first || first.dueAt > clock() || signal.aborted) return undefined
      const fullAt = batchEnd(webhook, first, pending.length)
      if (fullAt > clock()) return fullAt
      const { ready, dropped, expired } = await prepare(webhook, scopes, pending)
      if (dropped.length > 0) reporter.add({ dropped })
      if (expired.length > 0) {
        // All expired events are given up, page by page, so that the owner resumes the webhook only once.
        const isLast = pending.length < limit || expired.length + dropped.length < pending.length
        const isHeld = await giveUpExpired(webhook, expired, isLast, reporter)
        if (isLast || !isHeld || signal.aborted) return undefined
        continue
      }
      for (const [index, batch] of batches(ready, webhook.maxBatchSize).entries()) {
        const { dueAt } = batch[0].delivery
        if (signal.aborted || dueAt > clock() || !reporter.isHeld()) {
          await reporter.flush()
          return undefined
        }
        // The rest is checked again. At least one batch is sent, so that a slow machine makes progress.
        if (index > 0 && isOld()) break
        if (!(await deliver(webhook, batch, secrets, reporter, signal))) return undefined
      }
      if (!(await reporter.flush()) || !(await isCurrent())) return undefined
    }
  }

  /** The time at which an incomplete batch is sent. A batch that failed is retried unchanged. */
  function batchEnd({ maxBatchSize, maxBatchWaitMs }: Webhook, first: PendingDelivery, waiting: number): Date {
    const mayFill = maxBatchSize > 1 && waiting < maxBatchSize && first.attempts === 0
    return new Date(first.createdAt.getTime() + (mayFill ? maxBatchWaitMs : 0))
  }

  /** Sorts deliveries into ready, dropped and expired. Visibility and filters are checked when an event is sent. */
  async function prepare(webhook: Webhook, scopes: readonly string[] | 'all', pending: readonly PendingDelivery[]) {
    const events = pending.map(({ event }) => event).filter((event) => event !== undefined)
    const signalOf = new Map((await signals.resolve(events)).map((signal) => [signal.cursor, signal]))
    // Read after the deliveries, so that a missing event is below the horizon unless it was erased.
    const horizon = events.length < pending.length ? await read.eventRetention.horizon() : LOG_START
    const isExpired = ({ event, cursor }: PendingDelivery) => !event && compareCursors(cursor, horizon) <= 0
    const ready: ReadyDelivery[] = []
    const dropped: string[] = []
    const expired: PendingDelivery[] = []
    for (const delivery of pending) {
      const signal = signalOf.get(delivery.cursor)
      if (signal && isFor(webhook, scopes, signal)) ready.push({ delivery, envelope: signal.envelope })
      // To keep the order, events after an expired one are not delivered before the owner knows of the gap.
      else if (isExpired(delivery) && ready.length === 0) expired.push(delivery)
      else if (isExpired(delivery)) break
      else dropped.push(delivery.id)
    }
    return { ready, dropped, expired }
  }

  function isFor(webhook: Webhook, scopes: readonly string[] | 'all', signal: SignalEvent): boolean {
    const { recipients } = signal
    if (recipients.kind === 'webhook') {
      return recipients.accountId === webhook.accountId && recipients.webhookId === webhook.id
    }
    const caller = { account: { id: webhook.accountId }, profileId: webhook.profileId ?? undefined, scopes }
    if (!mayReceive(signal, { kind: 'caller', caller })) return false
    const conditions = conditionsOf(webhook)
    return conditions === null || meets(asJson(signal.envelope), conditions)
  }

  type Reporter = ReturnType<typeof createReporter>

  /** Sends one request. Returns false when no further request should follow now. */
  async function deliver(
    webhook: Webhook,
    batch: readonly [ReadyDelivery, ...ReadyDelivery[]],
    secrets: readonly string[],
    reporter: Reporter,
    signal: AbortSignal,
  ): Promise<boolean> {
    const now = clock()
    const request = deliveryRequest(batch, webhook, { now, maxAttempts, secrets, keyring, isSandbox })
    const answer: ReceiverAnswer =
      secrets.length > 0
        ? await receivers.post(webhook.deliveryUrl, request, signal)
        : { isReceived: false, statusCode: null, responseTimeMs: 0, error: 'secret_unavailable', retryAfter: null }
    const ids = batch.map(({ delivery }) => delivery.id)
    const isRepeat = batch.every(({ delivery }) => delivery.isRepeat)
    if (answer.isReceived) {
      measure('delivered', batch.length, answer.responseTimeMs)
      const attempts = batch.map((ready) => attemptOf(ready, answer, now, 'delivered'))
      reporter.add({ attempts, settled: ids, failures: isRepeat ? 'keep' : 'reset' })
      return true
    }
    if (!(await reporter.flush())) return false
    const tried = batch[0].delivery.attempts + 1
    const isLast = tried >= maxAttempts
    measure(isLast ? 'undeliverable' : 'failed', batch.length, answer.responseTimeMs)
    const attempts = batch.map((ready) => attemptOf(ready, answer, now, isLast ? 'undeliverable' : 'failed'))
    const failedAt = clock()
    const delayMs = (retrySeconds[tried - 1] ?? 0) * 1_000
    const askedAt = parseRetryAfter(answer.retryAfter, failedAt)
    const notBefore = askedAt && new Date(Math.min(askedAt.getTime(), failedAt.getTime() + longestWaitMs))
    const retryAt = new Date(Math.max(failedAt.getTime() + delayMs, notBefore?.getTime() ?? 0))
    const report: DeliveryReport = isLast
      ? { attempts, settled: ids, dropped: [], failures: isRepeat ? 'keep' : 'raise', notBefore }
      : { attempts, settled: [], dropped: [], retried: { ids, at: retryAt }, failures: 'keep', notBefore }
    const after = await reportAndPause(webhook, report, answer.statusCode === GONE)
    return isLast && !notBefore && after?.status === 'active'
  }

  /** Stores a failure, and pauses the webhook when its receiver is gone or has failed for long. */
  async function reportAndPause(
    webhook: Webhook,
    report: DeliveryReport,
    isGone: boolean,
  ): Promise<Webhook | undefined> {
    const after = await write(async (tx, emit) => {
      const after = await tx.webhooks.report({ webhookId: webhook.id, holder }, report, LEASE_MS)
      if (!after || !(isGone || after.failureCount >= MAX_FAILURES)) return after
      const reason = isGone ? 'gone' : 'failures'
      const changes = { status: 'paused', pauseReason: reason } as const
      const paused = await tx.webhooks.update(webhook.id, ['active'], changes)
      if (paused) emit(subscriptionPaused, { subscriptionId: webhook.id, reason }, { accountId: webhook.accountId })
      return paused ?? after
    })
    return after
  }

  /**
   * Gives up events that waited longer than the retention period. After the last one it pauses the webhook, so that its
   * owner decides what to replay. Returns whether the lease is still held.
   */
  async function giveUpExpired(
    webhook: Webhook,
    expired: readonly PendingDelivery[],
    isLast: boolean,
    reporter: Reporter,
  ): Promise<boolean> {
    await reporter.flush()
    const now = clock()
    const attempts = expired.map(
      ({ cursor, attempts }): WebhookAttempt => ({
        cursor,
        attempt: attempts + 1,
        at: now,
        statusCode: null,
        responseTimeMs: 0,
        outcome: 'undeliverable',
        error: 'event_expired',
        retryAfter: null,
      }),
    )
    const isHeld = await write(async (tx, emit) => {
      const settled = expired.map(({ id }) => id)
      const report: DeliveryReport = { attempts, settled, dropped: [], failures: 'keep' }
      const current = await tx.webhooks.report({ webhookId: webhook.id, holder }, report, LEASE_MS)
      if (!current) return false
      // Redelivered events leave no gap.
      const missed = current.missedSince ? undefined : expired.find(({ isRepeat }) => !isRepeat)
      const changes = {
        ...(isLast && ({ status: 'paused', pauseReason: 'backlog' } as const)),
        ...(missed && { missedSince: missed.createdAt }),
      }
      if (Object.keys(changes).length === 0) return true
      const isChanged = await tx.webhooks.update(webhook.id, ['active'], changes)
      if (isChanged && isLast) {
        emit(subscriptionPaused, { subscriptionId: webhook.id, reason: 'backlog' }, { accountId: webhook.accountId })
      }
      return true
    })
    return isHeld
  }

  return {
    /** Identifies this process in leases. */
    holder,
    start: loop.start,
    /** Looks for due deliveries now. */
    wake: loop.wake,
    async stop() {
      await loop.stop()
      await Promise.all(running)
    },
  }
}

const attemptOf = (
  { delivery }: ReadyDelivery,
  { statusCode, responseTimeMs, error, retryAfter }: ReceiverAnswer,
  at: Date,
  outcome: WebhookAttempt['outcome'],
): WebhookAttempt => ({
  cursor: delivery.cursor,
  attempt: delivery.attempts + 1,
  at,
  statusCode,
  responseTimeMs,
  outcome,
  error,
  retryAfter,
})

/** Splits deliveries into requests. Those that failed together stay together, so that a batch keeps its id. */
function batches(
  ready: readonly ReadyDelivery[],
  size: number,
): readonly (readonly [ReadyDelivery, ...ReadyDelivery[]])[] {
  const found: [ReadyDelivery, ...ReadyDelivery[]][] = []
  for (const each of ready) {
    const last = found.at(-1)
    if (last && last.length < size && last[0].delivery.attempts === each.delivery.attempts) last.push(each)
    else found.push([each])
  }
  return found
}
