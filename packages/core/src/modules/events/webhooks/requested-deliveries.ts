import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { isEepError } from '../../../kernel/errors.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Webhook, WebhookStatus } from '../../../ports/storage/webhooks.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockCaller } from '../../../runtime/storage/lock-caller.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { decodeEventId, encodeEventId, matchesPattern, SERVICE_SOURCE } from '../signals/index.ts'
import { webhookBacklogFull, webhookSourceUnavailable } from './errors.ts'
import { subscriptionTested } from './events.ts'
import type { StoredType } from './private-events.ts'

export interface RequestedDeliveryDeps extends GuardedStorage<'webhooks'> {
  readonly clock: Clock
  readonly profiles: Pick<ProfileService, 'get'>
  /** The types of stored events with their types on the wire. */
  readonly storedTypes: readonly StoredType[]
  readonly maxBacklog: number
  /** Looks for due deliveries. */
  readonly wake: () => void
}

interface WebhookChecks {
  /** @throws `webhook_not_found`, `invalid_transition` unless it has one of these states */
  readonly getOwnIn: (states: readonly WebhookStatus[], id: string, caller: Caller) => Promise<Webhook>
  /** @throws `too_many_webhook_requests` */
  readonly countToday: (what: string, accountId: string) => Promise<void>
  /** Returns the patterns that match no type that the service emits. */
  readonly unknownTypes: (patterns: readonly string[]) => readonly string[]
}

/** The states after the receiver confirmed, and before the end. */
export const RUNNING: readonly WebhookStatus[] = ['active', 'paused']

/** Makes an active webhook due. Its owner knows that the receiver is ready, also when it asked to wait. */
const askAgain = (tx: Stores<'webhooks'>, id: string) => tx.webhooks.update(id, ['active'], { status: 'active' })

/** Deliveries that the owner of a webhook requests: tests, events again, and events of the past. */
export function createRequestedDeliveries(
  { read, write, clock, profiles, storedTypes, maxBacklog, wake }: RequestedDeliveryDeps,
  { getOwnIn, countToday, unknownTypes }: WebhookChecks,
) {
  /** @throws `webhook_source_unavailable` for a profile that the caller cannot see */
  async function requireSource(profileId: number, caller: Caller): Promise<void> {
    try {
      await profiles.get(profileId, caller)
    } catch (error) {
      throw isEepError(error) && error.status === 404 ? webhookSourceUnavailable() : error
    }
  }

  return {
    /**
     * Delivers an event `subscription.test`, and returns its id on the wire. A subscription to types that the service does not
     * emit gets an `entity.updated` of its source without changed fields instead.
     *
     * @throws `webhook_not_found`, `invalid_transition` unless it is active, `webhook_backlog_full`, `too_many_webhook_requests`,
     * `webhook_source_unavailable` when such a subscription follows a profile that the caller cannot see any more
     */
    async test(id: string, caller: Caller): Promise<string> {
      const { accountId, eventTypes, sourceProfileId } = await getOwnIn(['active'], id, caller)
      const isUnknown = unknownTypes(eventTypes).length > 0
      if (isUnknown && sourceProfileId !== null) await requireSource(sourceProfileId, caller)
      await countToday('webhook-tests', accountId)
      const now = clock()
      const cursor = await write(async (tx) => {
        await lockCaller(tx, caller)
        const { type } = subscriptionTested
        const event = {
          id: randomUUID(),
          type,
          profileId: null,
          accountId,
          data: { subscriptionId: id, ...(isUnknown && { entityId: sourceProfileId ?? SERVICE_SOURCE }) },
          at: now,
        }
        const [stored] = await tx.events.append([event])
        if (!stored) throw new Error('The log stored no event')
        const options = { now, maxPending: maxBacklog }
        const full = await tx.webhooks.enqueue([{ webhookId: id, cursor: stored.cursor }], options)
        // Rolls back the pause: a test does not change the state of the webhook.
        if (full.length > 0) throw webhookBacklogFull()
        await askAgain(tx, id)
        return stored.cursor
      })
      wake()
      return encodeEventId(cursor)
    },

    /**
     * Delivers events again under the same ids. Returns the ids of those queued, and of those that are no longer kept.
     *
     * @throws `webhook_not_found`, `invalid_transition` when it has ended, `webhook_backlog_full` when the queue has no room for
     * all of them, `too_many_webhook_requests`
     */
    async redeliver(id: string, caller: Caller, eventIds: readonly string[]) {
      const { accountId } = await getOwnIn(RUNNING, id, caller)
      await countToday('webhook-redeliveries', accountId)
      const cursorOf = new Map(eventIds.map((eventId) => [eventId, decodeEventId(eventId)]))
      const cursors = [...cursorOf.values()].filter((cursor) => cursor !== undefined)
      const options = { now: clock(), maxPending: maxBacklog }
      const queued = await write(async (tx) => {
        await lockCaller(tx, caller)
        const found = await tx.webhooks.redeliver(id, cursors, options)
        if (found) await askAgain(tx, id)
        return found
      })
      if (!queued) throw webhookBacklogFull()
      const found = new Set(queued)
      wake()
      const isFound = (eventId: string) => found.has(cursorOf.get(eventId) ?? '')
      return {
        redelivered: [...cursorOf.keys()].filter(isFound),
        unavailable: [...cursorOf.keys()].filter((eventId) => !isFound(eventId)),
      }
    },

    /**
     * Delivers the events since a given time that are still in the log, up to the size of the queue. Returns how many were queued,
     * before the filter.
     *
     * @throws `webhook_not_found`, `invalid_transition` when it has ended, `webhook_backlog_full` when the queue is full,
     * `too_many_webhook_requests`
     */
    async replay(id: string, caller: Caller, since: Date): Promise<number> {
      const { eventTypes, accountId } = await getOwnIn(RUNNING, id, caller)
      await countToday('webhook-replays', accountId)
      const types = storedTypes
        .filter(({ signals }) =>
          eventTypes.some((pattern) => signals.some((signal) => matchesPattern(pattern, signal))),
        )
        .map(({ type }) => type)
        // A test event belongs to one subscription and is not replayed.
        .filter((type) => type !== subscriptionTested.type)
      const until = await read.events.head()
      const options = { now: clock(), maxPending: maxBacklog }
      const queued = await write(async (tx) => {
        await lockCaller(tx, caller)
        const count = await tx.webhooks.replay(id, { since, until, types }, options)
        if (count !== undefined) await askAgain(tx, id)
        return count
      })
      if (queued === undefined) throw webhookBacklogFull()
      wake()
      return queued
    },
  }
}
