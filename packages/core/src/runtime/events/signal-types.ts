import type { EventAudience, EventDefinition } from './define-event.ts'
import type { SignalType } from './signals.ts'

/** A type of events as clients subscribe to it. */
export interface DescribedType extends SignalType {
  /** Its name on the wire, with the prefix of the service. */
  readonly fullType: string
  readonly audience: Exclude<EventAudience, 'internal'>
}

/** The prefix of every type, from the option `signals.typePrefix`. */
export const typePrefixOf = (domain: string | undefined): string => (domain === undefined ? '' : `${domain}.`)

/** Every type of events that is sent to subscribers, by name. If definitions share a type, the first one is used. */
export function signalTypes(definitions: readonly EventDefinition[], prefix: string): readonly DescribedType[] {
  const found = new Map<string, DescribedType>()
  for (const { signals, audience } of definitions) {
    if (audience === 'internal') continue
    for (const type of signals?.types ?? []) {
      if (!found.has(type.type)) found.set(type.type, { ...type, fullType: `${prefix}${type.type}`, audience })
    }
  }
  return [...found.values()].sort((left, right) => (left.type < right.type ? -1 : 1))
}
