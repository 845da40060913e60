import type { StoredEvent } from '../../ports/storage/events.ts'
import type { EventDefinition, EventOf } from '../../runtime/events/define-event.ts'

/** The options of {@link defineConsumer}. */
export interface ConsumerOptions<Events extends readonly EventDefinition[]> {
  /** Unique in the module. The cursor is stored under `<module>.<name>`, so another name starts again. */
  readonly name: string
  /** The definitions of the events to handle; others are skipped. */
  readonly events: Events
  /** Where a new name starts: at the next event (default), or at the oldest stored one. */
  readonly from?: 'now' | 'start' | undefined
  /**
   * Handles one event. When it throws, the error is logged and the event is handled again a second later, before any
   * other. An event is also handled again when the process ends before the cursor is stored, so make it idempotent: `id`
   * is the same each time.
   */
  handle(event: EventOf<Events[number]>): void | Promise<void>
}

/** A durable consumer as the composition root sees it. */
export interface DurableConsumer {
  readonly name: string
  readonly types: ReadonlySet<string>
  readonly from: 'now' | 'start'
  handle(event: StoredEvent): void | Promise<void>
}

/**
 * Declares a durable consumer of a module: it handles each event at least once and in order, on one instance at a time,
 * from where the last one stopped. Events that are emitted while no instance runs are handled after the next start.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/embed/modules.md
 * @example
 * consumers: ({ orders }) => [
 *   defineConsumer({ name: 'invoices', events: [orderPlaced], handle: ({ data }) => orders.invoice(data.orderId) }),
 * ]
 */
export function defineConsumer<const Events extends readonly EventDefinition[]>({
  name,
  events,
  from = 'now',
  handle,
}: ConsumerOptions<Events>): DurableConsumer {
  const types = new Set(events.map(({ type }) => type))
  return {
    name,
    types,
    from,
    // The type of the event determines its payload, which was checked when it was emitted.
    handle: (event) => handle(event as StoredEvent & EventOf<Events[number]>),
  }
}
