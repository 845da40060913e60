import type { PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { PageLanguage } from '../../../model/messages.ts'
import type { Acting, NotificationChoice, NotificationPage } from './service.ts'

/** The methods of `app.eep.notifications`. */
export interface NotificationsApi {
  /**
   * Returns the notifications of the acting profile, newest first, and how many are unread. Default: with English texts.
   *
   * @throws `not_active_profile` when `profileId` is another profile; `profile_not_found`, `not_profile_owner`,
   * `invalid_cursor`
   */
  list(
    page: PageRequest & { readonly profileId: number; readonly unread: boolean },
    actor: Acting,
    reader?: PageLanguage,
  ): Promise<NotificationPage>
  /**
   * Marks notifications of the acting profile as read: all, or those with these ids. Returns how many were unread before, and
   * how many still are.
   *
   * @throws `profile_not_found`, `not_profile_owner`
   */
  markRead(ids: readonly string[] | undefined, actor: Acting): Promise<{ marked: number; unread: number }>
  /** Returns the preferences of an account for every kind of notification. */
  preferences(caller: Caller): Promise<readonly (NotificationChoice & { readonly summary: string })[]>
  /**
   * Changes the preferences of an account for some kinds, and keeps the others.
   *
   * @throws `forbidden` for a key of one profile, `unknown_notification_kind`, `notification_without_email`
   */
  setPreferences(choices: readonly NotificationChoice[], caller: Caller): Promise<void>
}
