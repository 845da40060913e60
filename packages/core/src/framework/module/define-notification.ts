import type { z } from 'zod'
import type { JsonObject } from '../../kernel/json.ts'
import type { NotificationPages } from '../../model/frontend-links.ts'
import type { PageLanguage } from '../../model/messages.ts'
import type { Action } from '../../model/permission.ts'
import type { StoredEvent } from '../../ports/storage/events.ts'
import type { NotificationEmail } from '../../ports/storage/notifications.ts'
import type { Readers } from '../../ports/storage/storage.ts'
import type { EmailDefinition } from '../../runtime/email/define-email.ts'
import type { EventDefinition, EventOf } from '../../runtime/events/define-event.ts'

/** The accounts that get a notification. */
export type Recipients =
  /**
   * The members of a profile's team whose role permits an action. Default: `profile.edit`. The account that caused the
   * event is left out.
   */
  | { readonly profileId: number; readonly permission?: Action | undefined }
  /** One account. */
  | { readonly accountId: string }
  /** The administrators of the service. */
  | { readonly administrators: true }

/** A notification to create. */
export interface Notice<Data = JsonObject> {
  readonly to: Recipients
  /** The profile that did it. */
  readonly actorProfileId?: number | null | undefined
  /** The profile that the text names. Default: that of the recipients. */
  readonly aboutProfileId?: number | null | undefined
  /** Unread notifications with the same kind, recipient and key are merged. Default: no merging. */
  readonly groupKey?: string | undefined
  /** Whether it may be sent by email. Default: true. False when its recipient gets another email about the event. */
  readonly byEmail?: boolean | undefined
  /** The data of the text. It must not contain names of profiles. */
  readonly data: Data
}

/** A profile to name in a text. */
export interface NoticeProfile {
  readonly username: string
  /** The path of its public page. */
  readonly path: string
}

/** The input for the text of a notification. Functions of `defineMessages` take it as the page. */
export interface NotificationInput<Data = unknown> extends PageLanguage {
  /** The language of the reader, as BCP 47. */
  readonly language: string
  readonly data: Data
  /** The number of merged events; with actors, the number of profiles. */
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
  /** The page for people, in emails and on pages. Default: `link`. Null when `link` is only for programs: the title is not linked. */
  readonly page?: string | null | undefined
}

/** The path or the URL of the page that a notification leads people to. Undefined when there is none. */
export const pageOfNotification = ({ link, page = link }: NotificationText): string | undefined => page ?? undefined

/** What a separate email is written from, besides the data of the notification. */
export interface OwnEmailContext {
  readonly accountId: string
  /** The link that unsubscribes from emails of the kind. */
  readonly unsubscribe: string
  /** Returns the URL of a path of the service. */
  linkTo(path: string): string
  readonly read: Readers
}

/** An email that a kind has in place of the common one of notifications. */
export interface OwnEmail<Data = unknown> {
  /** The module declares it in `emails`. Its text must show the link that unsubscribes. */
  readonly email: EmailDefinition
  /** Whether it is also sent to addresses that were never verified, as receipts are. Default: false. */
  readonly toUnverified?: boolean | undefined
  /** Returns its data; undefined when nothing is to be sent. */
  data(data: Data, context: OwnEmailContext): Promise<unknown>
}

/** The options of {@link defineNotification}. */
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
  /** The email that is sent immediately for it. Default: the common one, with its text. Daily emails contain its title. */
  readonly ownEmail?: OwnEmail<z.output<Data>> | undefined
  /** The events that cause it. */
  readonly events: Events
  /** The schema of the stored data. After changes it must still accept data that is stored already. */
  readonly data: Data
  /**
   * Returns the notifications of an event: none, one or several. When it throws, the event is handled again a second later,
   * before any other. After five attempts it is given up for this event, and logged.
   */
  notify(event: EventOf<Events[number]>, read: Readers): Notices<z.input<Data>> | Promise<Notices<z.input<Data>>>
  /** Returns the text of one notification. */
  text(facts: NotificationInput<z.output<Data>>): NotificationText
  /** Whether a pending email is still to be sent; false after an invitation was withdrawn, for example. Default: true. */
  isCurrent?(data: z.output<Data>, read: Readers): boolean | Promise<boolean>
}

type Notices<Data> = Notice<Data> | readonly Notice<Data>[] | undefined

/** The result of {@link defineNotification}. */
export interface NotificationDefinition {
  readonly kind: string
  readonly summary: string
  /** Null for a kind without emails. */
  readonly email: NotificationEmail | null
  readonly ownEmail: OwnEmail | undefined
  readonly types: ReadonlySet<string>
  notify(event: StoredEvent, read: Readers): Promise<readonly Notice[]>
  /** Returns the text; the summary of the kind when the stored data no longer matches the schema. */
  text(facts: NotificationInput): NotificationText
  /** Whether a pending email is still to be sent. */
  isCurrent(data: unknown, read: Readers): Promise<boolean>
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
  ownEmail,
  events,
  data,
  notify,
  text,
  isCurrent,
}: NotificationOptions<Kind, Events, Data>): NotificationDefinition {
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(kind))
    throw new TypeError(`The kind "${kind}" of notifications must be snake_case`)
  return {
    kind,
    summary,
    email: email ?? null,
    ownEmail: ownEmail && {
      email: ownEmail.email,
      toUnverified: ownEmail.toUnverified,
      async data(facts, context) {
        const stored = data.safeParse(facts)
        return stored.success ? ownEmail.data(stored.data, context) : undefined
      },
    },
    types: new Set(events.map(({ type }) => type)),
    async notify(event, read) {
      // The type of the event determines its payload, which was checked when it was emitted.
      const notices = await notify(event as StoredEvent & EventOf<Events[number]>, read)
      const list = notices === undefined ? [] : [notices].flat()
      // Payloads are JSON objects.
      return list as readonly Notice[]
    },
    text(facts) {
      const stored = data.safeParse(facts.data)
      return stored.success ? text({ ...facts, data: stored.data }) : { title: summary }
    },
    async isCurrent(facts, read) {
      if (!isCurrent) return true
      const stored = data.safeParse(facts)
      return !stored.success || isCurrent(stored.data, read)
    },
  }
}
