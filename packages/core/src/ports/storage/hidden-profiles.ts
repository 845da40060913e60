import type { Profile } from './profiles.ts'

/**
 * Which hidden profiles to take: one, that of an import, or those on which nothing happened since a time, as on those that
 * `deleteOrHide` has hidden just now.
 */
export type HiddenProfiles = { readonly id: number } | { readonly importId: string } | { readonly before: Date }

/**
 * Profiles that are created or deleted in several transactions. They are withdrawn, so that they are shown nowhere, and
 * `profiles.withdrawOfAccount` does not change them.
 */
export interface HiddenProfileStore {
  /** Hides a profile: for an import, or to delete it. False when it does not exist or is hidden already. */
  hide(id: number, hidden: { readonly importId?: string | undefined; readonly at: Date }): Promise<boolean>
  /**
   * Deletes a profile with at most `limit` records that `deleteContents` deletes, as `profiles.delete` does. One with more is hidden,
   * to be taken and deleted in parts: its names are free, and its API keys, members, invitations and transfers are deleted.
   * `undefined` when it does not exist, or is hidden already.
   */
  deleteOrHide(id: number, limit: number, at: Date): Promise<'deleted' | 'hidden' | undefined>
  /** Records that an import continues. False when its profile was taken to be deleted, or is shown. */
  touch(id: number, importId: string, at: Date): Promise<boolean>
  /** Shows the profile of an import. Either this or `take` wins; `undefined` when the profile was taken, or is shown. */
  show(id: number, importId: string): Promise<Profile | undefined>
  /**
   * Takes at most `limit` hidden profiles to delete them, and returns their ids. Their imports can no longer continue. Profiles of
   * accounts that are due for the purge are not taken: the purge deletes them with the account.
   */
  take(which: HiddenProfiles, at: Date, limit: number): Promise<readonly number[]>
  /**
   * Deletes at most `limit` records of a hidden profile: posts, pages and versions, files, memory, connections, and everything else
   * whose number its owner or visitors can make large. Returns how many; fewer than `limit` when it has none left, and 0 for a
   * profile that is not hidden. The profile and its other records remain.
   */
  deleteContents(id: number, limit: number, at: Date): Promise<number>
}
