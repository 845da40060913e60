import { coreEventDefinitions } from '../../modules/event-definitions.ts'
import type { StoredEvent } from '../../ports/storage/events.ts'
import type { EventsOf } from '../../runtime/events/define-event.ts'
import type { ExtensionModule } from './extensions.ts'

type CoreEvents = EventsOf<typeof coreEventDefinitions>
type ExtensionEvents = EventsOf<ExtensionModule['events']>

/** Every event of the service: its type and its payload. */
export interface EepEvents extends CoreEvents, ExtensionEvents {}

/** The types of events that the service emits. */
export type EepEventType = keyof EepEvents

/** An event, as passed to listeners. */
export type EepEvent<Type extends EepEventType = EepEventType> = {
  [Each in Type]: Omit<StoredEvent, 'type' | 'data'> & { readonly type: Each; readonly data: EepEvents[Each] }
}[Type]

type CoreDefinition = (typeof coreEventDefinitions)[number]

/** The definitions of the events of this package, by type. */
export type CoreEventDefinitions = {
  readonly [Each in CoreDefinition as Each['type']]: Each
}

/**
 * The definitions of the events of this package, by type, for modules of hosts that handle them.
 *
 * @example
 * defineConsumer({ name: 'crm', events: [coreEvents['profiles.profile_created']], handle: ({ data }) => crm.add(data) })
 */
export const coreEvents = Object.fromEntries(
  coreEventDefinitions.map((event) => [event.type, event]),
) as CoreEventDefinitions
