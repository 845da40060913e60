import { vi } from 'vitest'
import type { Person } from './accounts.ts'

/** A notification as the wire has it. */
export interface WireNotification {
  readonly id: string
  readonly kind: string
  readonly profile_id: number | null
  readonly title: string
  readonly body: readonly string[]
  readonly url: string | null
  readonly count: number
  readonly actors: readonly { readonly username: string }[]
  readonly created_at: string
  readonly updated_at: string
  readonly read_at: string | null
}

interface WireList {
  readonly data: readonly WireNotification[]
  readonly pagination: { readonly total: number; readonly has_more: boolean; readonly next_cursor?: string }
  readonly unread_count: number
}

/** Requests the notifications of a profile; default: of the person of the account. */
export const getNotifications = (who: Person, query = '', profileId = who.account.active_profile_id) =>
  who.get(`/notifications?profile_id=${profileId}${query}`, { 'x-active-profile-id': String(profileId) })

/** Reads the notifications of a profile, newest first. */
export async function readNotifications(who: Person, query = '', profileId?: number): Promise<WireList> {
  const response = await getNotifications(who, query, profileId)
  if (response.statusCode !== 200) throw new Error(`no notifications: ${response.body}`)
  return response.json<WireList>()
}

/** Waits for notifications of a profile that pass a check. */
export const untilNotified = <Result>(
  who: Person,
  check: (items: readonly WireNotification[]) => Result,
  profileId?: number,
): Promise<Result> =>
  vi.waitFor(async () => check((await readNotifications(who, '', profileId)).data), { timeout: 60_000, interval: 50 })

export const markRead = (who: Person, body: object, profileId = who.account.active_profile_id) =>
  who.post('/notifications/read', body, { 'x-active-profile-id': String(profileId) })

export const choose = (who: Person, ...preferences: readonly object[]) =>
  who.put('/notifications/preferences', { preferences })

/** Lets a person follow another one. */
export const follow = (who: Person, whom: Person) => who.post(`/connections/u/${whom.account.username}`)
export const unfollow = (who: Person, whom: Person) => who.delete(`/connections/u/${whom.account.username}`)
