import type { EventCatalogue } from '../../events/catalogue.ts'
import type { EventAudience } from '../../events/define-event.ts'
import type { SignalType } from '../../events/signals.ts'

/** A type of events as clients subscribe to it. */
export interface DescribedType extends SignalType {
  /** Its name on the wire, with the prefix of the service. */
  readonly fullType: string
  readonly audience: Exclude<EventAudience, 'internal'>
}

/** Every type of events that leaves the service, by name; of definitions that share a type, the first. */
export function signalTypes(
  { definitions }: Pick<EventCatalogue, 'definitions'>,
  prefix: string,
): readonly DescribedType[] {
  const found = new Map<string, DescribedType>()
  for (const { signals, audience } of definitions) {
    if (audience === 'internal') continue
    for (const type of signals?.types ?? []) {
      if (!found.has(type.type)) found.set(type.type, { ...type, fullType: `${prefix}${type.type}`, audience })
    }
  }
  return [...found.values()].sort((left, right) => (left.type < right.type ? -1 : 1))
}
