import type { EventsOf } from '../events/define-event.ts'
import type { coreModules } from '../modules/index.ts'
import type { StoredEvent } from '../ports/storage/events.ts'
import type { ExtensionModule } from './extensions.ts'

type CoreEvents = EventsOf<(typeof coreModules)[number]['events']>
type ExtensionEvents = EventsOf<ExtensionModule['events']>

/** Every event of the service: its type and its payload. */
export interface EepEvents extends CoreEvents, ExtensionEvents {}

/** The types of events that the service emits. */
export type EepEventType = keyof EepEvents

/** An event as a listener gets it. */
export type EepEvent<Type extends EepEventType = EepEventType> = {
  [Each in Type]: Omit<StoredEvent, 'type' | 'data'> & { readonly type: Each; readonly data: EepEvents[Each] }
}[Type]
