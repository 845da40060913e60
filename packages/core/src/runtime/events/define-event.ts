import { z } from 'zod'
import type { JsonObject } from '../../kernel/json.ts'
import type { StoredEvent } from '../../ports/storage/events.ts'
import { type Audit, type AuditOptions, readAudit } from './audit.ts'
import { type PublicType, readSignals, type SignalOptions, type Signals } from './signals.ts'

/** The recipients of an event: everyone, the team of its profile, the account it is about, or this service only. */
export type EventAudience = 'public' | 'team' | 'account' | 'internal'

/** What an event is about; `service` for what concerns all accounts. */
export type EventSubject = 'profile' | 'account' | 'service'

/**
 * What instances drop from their caches: data of the profile or the account of the event, lists of all public content
 * (sitemaps), or the prices of plans.
 */
export type Invalidation = 'profile' | 'account' | 'lists' | 'pricing'

export interface EventOptions<Data extends z.ZodType, Public extends string = string> {
  readonly audience: EventAudience
  readonly subject: EventSubject
  /** The schema of the payload. Stored events must still match it after a change. */
  readonly data: Data
  /**
   * What subscribers of its profile get: a type on the wire, which sends the payload as it is, or {@link SignalOptions}. An
   * event without one never leaves the service. Types on the wire have dots and no underscores: `credits.pack.bought`.
   */
  readonly signal?: (Public & PublicType<Public>) | SignalOptions<Data> | undefined
  /** How it appears in the audit log. Default: it does not. */
  readonly audit?: AuditOptions<NoInfer<Data>> | undefined
  /** What must not be served from caches after it; a function when that depends on the payload. Default: nothing. */
  readonly invalidates?: readonly Invalidation[] | ((data: z.output<Data>) => readonly Invalidation[]) | undefined
  /** Whether it is part of the public changelog of its profile. Default: false. */
  readonly changelog?: boolean | undefined
  /**
   * Whether the account of the event owns its profile, or has become the owner. Erasure finds the deleted profiles of an
   * account by these events. Default: the event does not show who owns it.
   */
  readonly emittedBy?: 'owner' | 'new_owner' | undefined
  /**
   * Whether it keeps its payload when the account that caused it is erased, because consumers need it and it names no person: ids
   * of things that others own, for example. The log deletes the account from it, and still deletes the payload when the event is
   * about an erased account or its profiles. Default: false.
   */
  readonly keptOnErasure?: boolean | undefined
  /**
   * Whether credentials of the account may end with it, or may do less: streams and sockets then check theirs immediately. Default: false.
   */
  readonly endsCredentials?: boolean | undefined
  /** A sentence for the documentation. */
  readonly summary: string
}

/** An event as {@link defineEvent} returns it, with defaults filled in. */
export interface EventDefinition<Type extends string = string, Data extends z.ZodType = z.ZodType> {
  readonly type: Type
  readonly audience: EventAudience
  readonly subject: EventSubject
  readonly data: Data
  /** How it is sent to subscribers; undefined when it is not. */
  readonly signals: Signals | undefined
  /** How it appears in the audit log; undefined when it does not. */
  readonly audit: Audit | undefined
  readonly changelog: boolean
  readonly emittedBy: 'owner' | 'new_owner' | undefined
  readonly keptOnErasure: boolean
  readonly endsCredentials: boolean
  readonly summary: string
  /** What an event with this payload invalidates. */
  invalidates(data: JsonObject): readonly Invalidation[]
}

type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value

/** The payloads of a list of definitions, by type. */
export type EventsOf<Definitions extends readonly EventDefinition[]> = {
  readonly [Each in Definitions[number] as Each['type']]: DeepReadonly<z.output<Each['data']>>
}

const EVENT_TYPE = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/

/**
 * Defines an event in the module that emits it. Caches, the changelog and consumers read the definition, so nothing else
 * names the event.
 *
 * @param type - `<module>.<noun>_<past participle>`
 * @throws TypeError when the type, or one on the wire, has another form
 * @see https://github.com/eep-service/eep/blob/main/docs/embed/modules.md
 * @example
 * export const pageDeleted = defineEvent('content.page_deleted', {
 *   audience: 'public',
 *   subject: 'profile',
 *   data: z.object({ pageId: z.int() }),
 *   invalidates: ['profile', 'lists'],
 *   summary: 'A page was deleted',
 * })
 */
export function defineEvent<const Type extends string, Data extends z.ZodType, const Public extends string = string>(
  type: Type,
  {
    audience,
    subject,
    data,
    signal,
    audit,
    invalidates = [],
    changelog = false,
    emittedBy,
    keptOnErasure = false,
    endsCredentials = false,
    summary,
  }: EventOptions<Data, Public>,
): EventDefinition<Type, Data> {
  if (!EVENT_TYPE.test(type)) throw new TypeError(`Event type "${type}" must be <module>.<noun>_<past participle>`)
  return {
    type,
    audience,
    subject,
    data,
    signals: signal === undefined ? undefined : readSignals({ data, summary, signal }),
    audit: audit && readAudit({ data, audit }),
    changelog,
    emittedBy,
    keptOnErasure,
    endsCredentials,
    summary,
    invalidates: (payload) =>
      typeof invalidates === 'function' ? invalidates(payload as z.output<Data>) : invalidates,
  }
}

/** What an emitted event is about and who caused it. */
export interface EventOrigin {
  readonly profileId?: number | undefined
  readonly accountId?: string | undefined
}

/** Stores an event with the change it describes, at the end of the transaction. */
export type Emit = <Data extends z.ZodType>(
  event: EventDefinition<string, Data>,
  data: z.input<Data>,
  origin?: EventOrigin,
) => void

/** @throws TypeError that names what is wrong with a payload */
export function assertEventData({ type, data }: EventDefinition, payload: unknown): void {
  const { error } = data.safeParse(payload)
  if (error) throw new TypeError(`The data of the event ${type} is invalid: ${z.prettifyError(error)}`)
}

/** An event as listeners of its definition get it; of several definitions, a union that `type` tells apart. */
export type EventOf<Definition extends EventDefinition> = Definition extends EventDefinition
  ? Omit<StoredEvent, 'type' | 'data'> & {
      readonly type: Definition['type']
      readonly data: DeepReadonly<z.output<Definition['data']>>
    }
  : never

/** A handler of one event that takes every event and skips the others; see {@link on}. */
export interface EventHandler<Result = unknown> {
  (event: StoredEvent): Result | undefined
  /** The type of the events that it handles. */
  readonly type: string
}

/**
 * Returns a handler of the events of one definition, for `listen` of a module or `eep.follow`. It skips other events.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/concepts/events.md
 * @example
 * eep.follow('crm', [on(orderPlaced, ({ data }) => crm.add(data.orderId))])
 */
export function on<Definition extends EventDefinition, Result>(
  { type }: Definition,
  listener: (event: EventOf<Definition>) => Result,
): EventHandler<Result> {
  const handle = (event: StoredEvent) => (isOf<Definition>(event, type) ? listener(event) : undefined)
  return Object.assign(handle, { type })
}

/** Whether an event is of a type. The type decides the payload, which was checked when it was emitted. */
const isOf = <Definition extends EventDefinition>(
  event: StoredEvent | EventOf<Definition>,
  type: Definition['type'],
): event is EventOf<Definition> => event.type === type
