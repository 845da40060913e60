import type { JsonObject } from '../../kernel/json.ts'
import type { Page, PageRequest } from '../../kernel/page.ts'
import type { ActingApp } from '../../model/acting-app.ts'
import type { Action } from '../../model/permission.ts'
import type { AccountEraser } from './erasure.ts'
import type { ProfileName } from './profiles.ts'

/** When notifications of a kind are sent by email: immediately, once a day, or never. */
export type NotificationEmail = 'off' | 'immediately' | 'daily'

/** A notification to add. */
export interface NewNotification {
  /** UUID. */
  readonly id: string
  /** The recipient. */
  readonly accountId: string
  /** The profile whose team gets it; null when it is for the account. The notification is deleted with the profile. */
  readonly profileId: number | null
  /** What the role of the recipient in that team must permit; null when it is for the account. */
  readonly permission: Action | null
  /** `follow`, `sale`. */
  readonly kind: string
  /** Unread notifications of an account with the same key are merged. Null: never merged. */
  readonly groupKey: string | null
  /** The profile that did it; null when it is not one of this service. */
  readonly actorProfileId: number | null
  /** The app by which an account did it. Default: none. Erased with that account; null also when merged events differ in it. */
  readonly through?: (ActingApp & { readonly accountId: string }) | null | undefined
  /** The profile that the text names. The notification is deleted with it. */
  readonly aboutProfileId: number | null
  /** Other data for the text; must not contain names of profiles. */
  readonly data: JsonObject
  /** Whether it is listed. */
  readonly inApp: boolean
  /** When to send it in a separate email; null: in none. */
  readonly emailAt: Date | null
  /** When to send a digest that contains it, unless one is due earlier; null: in no digest. */
  readonly digestAt: Date | null
  readonly createdAt: Date
}

/** The result of adding a notification. */
export interface AddedNotification {
  /** The id; that of the unread notification with the same key if there was one. */
  readonly id: string
  readonly accountId: string
  readonly profileId: number | null
  readonly kind: string
  readonly inApp: boolean
  /** The number of merged events; with actors, the number of profiles. */
  readonly count: number
  readonly isNew: boolean
}

/** A profile as texts name it. */
export interface NamedProfile extends ProfileName {
  readonly id: number
}

/** A notification, with the names that its text needs. */
export interface Notification
  extends Omit<NewNotification, 'actorProfileId' | 'aboutProfileId' | 'groupKey' | 'emailAt' | 'digestAt' | 'through'> {
  readonly through: ActingApp | null
  /** The position in the list; a higher number is newer. */
  readonly position: number
  readonly count: number
  /** The newest profiles that did it, at most three; without those that are private, withdrawn or of banned accounts. */
  readonly actors: readonly NamedProfile[]
  /**
   * Null when there is none, when it is withdrawn or of a banned account, or when it is private and the account is not of its team
   * and has no open invitation or transfer of it.
   */
  readonly about: NamedProfile | null
  /** When the last event was added. */
  readonly updatedAt: Date
  readonly readAt: Date | null
}

/** The notifications of an account that belong to one of its profiles. */
export interface NotificationScope {
  readonly accountId: string
  readonly profileId: number
  /** Whether to include those for the account itself. */
  readonly withAccount: boolean
}

/** Which notifications are listed or counted. */
export interface NotificationFilter {
  /** Kinds that the service knows. */
  readonly kinds: readonly string[]
  /** Only unread ones. Default: all. */
  readonly unread?: boolean | undefined
}

/** How an account receives notifications of one kind. */
export interface NotificationPreference {
  readonly accountId: string
  readonly kind: string
  readonly inApp: boolean
  /** Null: the default of the kind. */
  readonly email: NotificationEmail | null
}

/** How often an email was taken, and when it is taken again unless it is ended first. */
export interface EmailAttempt {
  /** 1 for the first. */
  readonly attempt: number
  readonly retryAt: Date
}

/** A notification to send by email. */
export interface DueEmail extends EmailAttempt {
  readonly notification: Notification
}

/** The notifications to send to an account in one email. */
export interface NotificationDigest extends EmailAttempt {
  readonly accountId: string
  /**
   * Unread ones: first those that are not listed, the oldest first, then those that are, the newest first. May be empty.
   */
  readonly items: readonly Notification[]
  /** How many are waiting, listed and unlisted, including those beyond the limit. */
  readonly waiting: { readonly listed: number; readonly unlisted: number }
  /** The highest position of all that are waiting. */
  readonly upTo: number
}

/** Notifications, for reading, without those whose actors are all deleted. */
export interface NotificationReader {
  /** The newest first. */
  list(scope: NotificationScope, filter: NotificationFilter, page: PageRequest): Promise<Page<Notification>>
  /** Returns the number of unread notifications of these kinds. */
  countUnread(scope: NotificationScope, kinds: readonly string[]): Promise<number>
  /** The preferences of some accounts. Kinds without a preference are left out. */
  listPreferences(accountIds: readonly string[]): Promise<readonly NotificationPreference[]>
}

/** Notifications of accounts. They are deleted with their account and with the profiles that they name. */
export interface NotificationStore extends NotificationReader, AccountEraser {
  /**
   * Adds notifications in this order. One with the key of an unread notification of its account is merged into that one,
   * which moves to the front. Concurrent calls count both, and never merge into one that is being marked as read.
   * Notifications for accounts, or about profiles, that do not exist are skipped.
   */
  add(notifications: readonly NewNotification[]): Promise<readonly AddedNotification[]>
  /** Marks unread notifications as read, all or those with these ids; returns how many were unread. */
  markRead(scope: NotificationScope, at: Date, ids?: readonly string[]): Promise<number>
  /** Stores preferences, replacing earlier ones of the same kind. False when the account does not exist. */
  putPreferences(accountId: string, preferences: readonly Omit<NotificationPreference, 'accountId'>[]): Promise<boolean>
  /**
   * The next unread notification that is due by email. It is returned again after `retryMs`, doubled with each attempt, unless
   * `endEmail` is called before. Of concurrent calls one gets it.
   */
  takeEmail(now: Date, retry: { readonly retryMs: number }): Promise<DueEmail | undefined>
  /** Ends an email that `takeEmail` returned with this `retryAt`. Does nothing for a later one. */
  endEmail(id: string, retryAt: Date): Promise<void>
  /**
   * The next account whose digest is due, and at most `limit` notifications for it. It is returned again after `retryMs`, doubled
   * with each attempt, unless `endDigest` is called before. Of concurrent calls one gets it.
   */
  takeDigest(
    now: Date,
    options: { readonly retryMs: number; readonly limit: number },
  ): Promise<NotificationDigest | undefined>
  /**
   * Ends a digest that `takeDigest` returned: for listed notifications up to `upTo`, and for others with these ids. The rest, and
   * what was added meanwhile, is due at `nextAt`. Does nothing when it was taken again.
   */
  endDigest(
    digest: Pick<NotificationDigest, 'accountId' | 'upTo' | 'retryAt'>,
    unlistedIds: readonly string[],
    nextAt: Date,
  ): Promise<void>
  /** Deletes at most `limit` notifications that were last updated before this time, and returns how many. */
  prune(before: Date, limit: number): Promise<number>
}
