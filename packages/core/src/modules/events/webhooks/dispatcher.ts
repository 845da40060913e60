import type { Clock } from '../../../kernel/clock.ts'
import type { StoredEvent } from '../../../ports/storage/events.ts'
import type { Readers, Stores } from '../../../ports/storage/storage.ts'
import type { WebhookEvent, WebhookSubscriber } from '../../../ports/storage/webhooks.ts'
import type { TransactionalHandler } from '../../../runtime/consumers/durable.ts'
import type { EventCatalogue } from '../../../runtime/events/catalogue.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { matchesPattern } from '../signals/index.ts'
import { subscriptionPaused } from './events.ts'

export interface DispatcherDeps {
  readonly read: Readers<'webhooks'>
  readonly clock: Clock
  readonly catalogue: EventCatalogue
  /** The prefix of every type, such as `com.example.`, or an empty string. */
  readonly prefix: string
  readonly maxPending: number
  /** Called after deliveries were stored. */
  readonly onStored: () => void
}

/** An event that can be delivered. */
interface Announced {
  readonly event: StoredEvent
  readonly type: string
  /** The only account that may receive it. */
  readonly accountId: string | null | undefined
}

/**
 * Decides which webhooks an event of the log may go to. Filters and visibility are checked when it is delivered.
 */
export function createDispatcher(deps: DispatcherDeps): TransactionalHandler {
  const { read, clock, catalogue, prefix, maxPending, onStored } = deps

  function announced(event: StoredEvent): Announced | undefined {
    const definition = catalogue.get(event.type)
    if (!definition || definition.audience === 'internal') return undefined
    const signal = definition.signals?.of(event)
    // An event for one webhook is in its queue already.
    if (!signal || signal.webhookId !== undefined) return undefined
    const accountId = definition.audience === 'account' ? (signal.accountId ?? event.accountId) : undefined
    return { event, type: signal.type, accountId }
  }

  const wants = ({ event, type, accountId }: Announced, subscriber: WebhookSubscriber) =>
    subscriber.sourceProfileId === event.profileId &&
    (accountId === undefined || accountId === subscriber.accountId) &&
    subscriber.eventTypes.some((pattern) => matchesPattern(pattern, { type, fullType: `${prefix}${type}` }))

  /** Returns the function that stores the deliveries of some events in the transaction that advances the cursor. */
  async function prepare(events: readonly StoredEvent[]) {
    const signals = events.map(announced).filter((each) => each !== undefined)
    const sources = [...new Set(signals.map(({ event }) => event.profileId))]
    const subscribers = sources.length > 0 ? await read.webhooks.listSubscribers(sources) : []
    const deliveries = signals.flatMap((signal): WebhookEvent[] =>
      subscribers
        .filter((subscriber) => wants(signal, subscriber))
        .map(({ id }) => ({ webhookId: id, cursor: signal.event.cursor })),
    )
    if (deliveries.length === 0) return undefined
    return async (stores: Stores<'followers'>, emit: Emit) => {
      const tx = requireGroup(stores, 'webhooks')
      for (const full of await tx.webhooks.enqueue(deliveries, { now: clock(), maxPending })) {
        if (full.pauseReason !== 'backlog') continue
        const data = { subscriptionId: full.id, reason: full.pauseReason } as const
        emit(subscriptionPaused, data, { accountId: full.accountId })
      }
    }
  }

  return {
    prepare,
    stored() {
      onStored()
    },
  }
}
