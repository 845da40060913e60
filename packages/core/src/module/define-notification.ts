import type { z } from 'zod'
import type { EventDefinition, EventOf } from '../events/define-event.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { NotificationPages } from '../model/frontend-links.ts'
import type { Action } from '../model/permission.ts'
import type { StoredEvent } from '../ports/storage/events.ts'
import type { NotificationEmail } from '../ports/storage/notifications.ts'
import type { Readers } from '../ports/storage/storage.ts'

/** The accounts that get a notification. */
export type Recipients =
  /**
   * The team of a profile, those of its members whose role permits an action. Default: `profile.edit`. The account that caused
   * the event gets none.
   */
  | { readonly profileId: number; readonly permission?: Action | undefined }
  /** One account. */
  | { readonly accountId: string }

/** A notification to make. */
export interface Notice<Data = JsonObject> {
  readonly to: Recipients
  /** The profile that did it. */
  readonly actorProfileId?: number | null | undefined
  /** The profile that the text names. Default: that of the recipients. */
  readonly aboutProfileId?: number | null | undefined
  /** Unread notifications of one kind, recipient and key are one. Default: each stays by itself. */
  readonly groupKey?: string | undefined
  /** Whether it may be sent by email. Default: true. False when its recipient gets another email about the event. */
  readonly byEmail?: boolean | undefined
  /** What the text needs beside the names of profiles, which it must not contain. */
  readonly data: Data
}

/** A profile as a text names it. */
export interface NoticeProfile {
  readonly username: string
  /** The path of its public page. */
  readonly path: string
}

/** What the text of a notification is made of. */
export interface NotificationFacts<Data = unknown> {
  readonly data: Data
  /** How many events it stands for; with actors, how many profiles. */
  readonly count: number
  /** The profile that did it last; undefined when it must not be named. */
  readonly actor: NoticeProfile | undefined
  /** The profile that it is about; undefined when there is none, or when it must not be named. */
  readonly about: NoticeProfile | undefined
  /** Pages of the host's frontend. */
  readonly frontendUrls: NotificationPages
}

/** The text of a notification. */
export interface NotificationText {
  /** One sentence without a full stop. */
  readonly title: string
  /** Further paragraphs. */
  readonly body?: readonly string[] | undefined
  /** The path or the URL of what it is about. */
  readonly link?: string | undefined
  /** The page that emails lead to. Default: `link`. */
  readonly page?: string | undefined
}

/** What makes notifications of one kind, and what they say. */
export interface NotificationOptions<
  Kind extends string,
  Events extends readonly EventDefinition[],
  Data extends z.ZodType,
> {
  /** Unique in the service; accounts choose by kind how they get notifications. */
  readonly kind: Kind
  /** A sentence for the page of preferences. */
  readonly summary: string
  /**
   * How it is sent by email unless an account chooses otherwise. Default: it has no emails.
   */
  readonly email?: NotificationEmail | undefined
  /** The events that it is made from. */
  readonly events: Events
  /** The stored data that the text needs. Change it only so that stored data still match. */
  readonly data: Data
  /**
   * Returns the notifications to make of an event: none, one or several. When it throws, the event is handled again a second
   * later, before any other; so it must not throw because of what an event contains.
   */
  notify(event: EventOf<Events[number]>, read: Readers): Notices<z.input<Data>> | Promise<Notices<z.input<Data>>>
  /** Returns the text of one notification. */
  text(facts: NotificationFacts<z.output<Data>>): NotificationText
}

type Notices<Data> = Notice<Data> | readonly Notice<Data>[] | undefined

/** A kind of notifications as the composition root sees it: the result of {@link defineNotification}. */
export interface NotificationDefinition {
  readonly kind: string
  readonly summary: string
  /** Null when it has no emails. */
  readonly email: NotificationEmail | null
  readonly types: ReadonlySet<string>
  notify(event: StoredEvent, read: Readers): Promise<readonly Notice[]>
  /** The text; the summary of the kind when the stored data do not match any more. */
  text(facts: NotificationFacts): NotificationText
}

/**
 * Declares who is notified of events, in the module that emits or handles them. Recipients find notifications under
 * `/notifications`. Each event is handled once.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/notifications.md
 * @example
 * const orderNotifications = defineNotification({
 *   kind: 'order',
 *   summary: 'Orders of your products',
 *   events: [orderPlaced],
 *   data: z.object({ product: z.string() }),
 *   notify: ({ profileId, data }) =>
 *     profileId === null ? undefined : { to: { profileId }, groupKey: data.product, data: { product: data.product } },
 *   text: ({ data, count }) => ({ title: count > 1 ? `${count} orders of ${data.product}` : `${data.product} was ordered` }),
 * })
 */
export function defineNotification<
  const Kind extends string,
  const Events extends readonly EventDefinition[],
  Data extends z.ZodType,
>({
  kind,
  summary,
  email,
  events,
  data,
  notify,
  text,
}: NotificationOptions<Kind, Events, Data>): NotificationDefinition {
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(kind))
    throw new TypeError(`The kind "${kind}" of notifications must be snake_case`)
  return {
    kind,
    summary,
    email: email ?? null,
    types: new Set(events.map(({ type }) => type)),
    async notify(event, read) {
      // The type decides the payload, which was checked when it was emitted.
      const notices = await notify(event as StoredEvent & EventOf<Events[number]>, read)
      const list = notices === undefined ? [] : [notices].flat()
      // Payloads are objects of JSON.
      return list as readonly Notice[]
    },
    text(facts) {
      const stored = data.safeParse(facts.data)
      return stored.success ? text({ ...facts, data: stored.data }) : { title: summary }
    },
  }
}
