import type { OwnershipEvents } from '../../ports/storage/erasure.ts'
import type { StoredEvent } from '../../ports/storage/events.ts'
import type { EventDefinition, Invalidation } from './define-event.ts'

const EVERYTHING: readonly Invalidation[] = ['profile', 'account', 'lists', 'pricing']

/** The events of a service: those of its modules and of its host. */
export interface EventCatalogue {
  readonly definitions: readonly EventDefinition[]
  get(type: string): EventDefinition | undefined
  /** @throws TypeError for a type that no module of the service defines */
  assertKnown(type: string): void
  /** What an event invalidates; everything when a newer release emitted it. */
  invalidations(event: Pick<StoredEvent, 'type' | 'data'>): readonly Invalidation[]
}

/** @throws TypeError when two definitions have the same type */
export function createEventCatalogue(definitions: readonly EventDefinition[]): EventCatalogue {
  const byType = new Map<string, EventDefinition>()
  for (const definition of definitions) {
    if (byType.has(definition.type)) throw new TypeError(`The event ${definition.type} is defined twice`)
    byType.set(definition.type, definition)
  }
  return {
    definitions,
    get: (type) => byType.get(type),
    assertKnown(type) {
      if (byType.has(type)) return
      throw new TypeError(`No module defines the event "${type}". List it in \`events\` of a module`)
    },
    invalidations: ({ type, data }) => byType.get(type)?.invalidates(data) ?? EVERYTHING,
  }
}

/** The types of the events that show who owned a profile. */
export function ownershipEvents(definitions: readonly EventDefinition[]): OwnershipEvents {
  const typesOf = (emittedBy: EventDefinition['emittedBy']) =>
    definitions.filter((definition) => definition.emittedBy === emittedBy).map(({ type }) => type)
  return { owner: typesOf('owner'), newOwner: typesOf('new_owner') }
}

/** The types of the events that keep their payload when the account that caused them is erased. */
export const keptOnErasure = (definitions: readonly EventDefinition[]): readonly string[] =>
  definitions.filter((definition) => definition.keptOnErasure).map(({ type }) => type)
