import type { EventAudience } from '../../../runtime/events/define-event.ts'
import { matchesPattern } from '../signals/index.ts'
import { webhookEvents } from './events.ts'

/** A type of stored events with its types on the wire. */
export interface StoredType {
  readonly type: string
  readonly audience: EventAudience
  readonly signals: readonly { readonly type: string; readonly fullType: string }[]
}

/** Events about subscriptions: their receivers know what they contain. */
const ABOUT_SUBSCRIPTIONS: ReadonlySet<string> = new Set(webhookEvents.map(({ type }) => type))

/** Returns whether patterns match events that only a team or an account receives. */
export function privateEvents(storedTypes: readonly StoredType[]): (patterns: readonly string[]) => boolean {
  const types = storedTypes
    .filter(({ audience }) => audience === 'team' || audience === 'account')
    .filter(({ type }) => !ABOUT_SUBSCRIPTIONS.has(type))
    .flatMap(({ signals }) => signals)
  return (patterns) => types.some((type) => patterns.some((pattern) => matchesPattern(pattern, type)))
}
