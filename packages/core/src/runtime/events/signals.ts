import type { z } from 'zod'
import type { JsonObject } from '../../kernel/json.ts'
import type { Action } from '../../model/permission.ts'
import type { StoredEvent } from '../../ports/storage/events.ts'

/** What subscribers get of one event. */
export interface Signal {
  /** Its type on the wire, one of {@link SignalOptions.types}. */
  readonly type: string
  /** Its `data` on the wire. */
  readonly data: JsonObject
  /**
   * The page that it is about. It is sent while everyone may see that page, and `path`, `url`, `title` and `gated` of the
   * page are added to its data.
   */
  readonly pageId?: number | undefined
  /** The post that it is about. It is sent while that post exists and is not hidden. */
  readonly postId?: number | undefined
  /** The path that it is about. Default: that of the page, or of the profile. */
  readonly subject?: string | undefined
  /** Further profiles that it is about, by the member of `data` that gets their DID. It is sent while all of them are public. */
  readonly dids?: Readonly<Record<string, number>> | undefined
  /** Profiles whose teams get it in addition to the team of the event's profile. */
  readonly parties?: readonly number[] | undefined
  /** The permission that members of the teams need to get it. Default: the whole team gets it. */
  readonly permission?: Action | undefined
  /** The account that gets an event for accounts. Default: the account that the event is about. */
  readonly accountId?: string | undefined
  /** The only webhook that gets an event for accounts: streams and other webhooks do not. Default: everything of the account gets it. */
  readonly webhookId?: string | undefined
  /** The profile that is named as the source of an event for accounts. Default: the profile that the event is about. */
  readonly sourceProfileId?: number | undefined
  /**
   * Set when a profile is not public after the event: subscribers get it although they can no longer see the profile.
   * It names the profile, which may be deleted.
   */
  readonly lastOf?: ProfileAddress | undefined
}

/** The address of a profile, which may no longer exist. */
export interface ProfileAddress {
  readonly type: string
  readonly username: string
}

/** The part of an event that identifies its profile. */
export type AboutProfile = Pick<StoredEvent, 'profileId'>

/** The types of EEP's catalogue that have an underscore, which its pattern for subscriptions does not admit. */
const CATALOGUE_TYPES = ['gate.config_changed', 'gate.access_granted', 'identity.did_updated'] as const

/**
 * A type on the wire. Lowercase words separated by dots, such as `credits.pack.bought`, which clients that validate their requests
 * with the schemas of EEP can subscribe to. `never` for another one with an underscore.
 */
export type PublicType<Type extends string> = Type extends (typeof CATALOGUE_TYPES)[number]
  ? Type
  : Type extends `${string}_${string}`
    ? never
    : Type

/** How an event appears on the wire. */
export interface SignalOptions<Data extends z.ZodType> {
  /** The types that it can have, each with the schema of its `data`. */
  readonly types: Readonly<Record<string, z.ZodObject>>
  /** Returns what subscribers get of one event; undefined when they get nothing. It must not read anything else. */
  of(data: z.output<Data>, event: StoredEvent): Signal | undefined
}

/** A type of signals. */
export interface SignalType {
  readonly type: string
  readonly data: z.ZodType
  readonly summary: string
}

/** How an event appears on the wire, as `defineEvent` returns it. */
export interface Signals {
  readonly types: readonly SignalType[]
  /** What subscribers get of one event. Undefined when they get nothing, also when the payload was erased. */
  of(event: StoredEvent): Signal | undefined
}

const SIGNAL_TYPE = /^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)+$/

const isPublicType = (type: string) => SIGNAL_TYPE.test(type) || CATALOGUE_TYPES.some((each) => each === type)

interface Signalled<Data extends z.ZodType> {
  readonly data: Data
  readonly summary: string
  readonly signal: string | SignalOptions<Data>
}

/** @throws TypeError when a type cannot be one on the wire */
export function readSignals<Data extends z.ZodType>({ data, summary, signal }: Signalled<Data>): Signals {
  const types: readonly SignalType[] =
    typeof signal === 'string'
      ? [{ type: signal, data, summary }]
      : Object.entries(signal.types).map(([type, schema]) => ({
          type,
          data: schema,
          summary: schema.description ?? summary,
        }))
  for (const { type } of types) {
    if (isPublicType(type)) continue
    throw new TypeError(`Signal type "${type}" must be words separated by dots, such as order.placed`)
  }
  return {
    types,
    of(event) {
      const payload = data.safeParse(event.data)
      if (!payload.success) return undefined
      return typeof signal === 'string' ? { type: signal, data: event.data } : signal.of(payload.data, event)
    },
  }
}
