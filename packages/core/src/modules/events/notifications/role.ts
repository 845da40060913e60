import type { May } from '../../../model/permission.ts'
import type { Notification } from '../../../ports/storage/notifications.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { roleOfAccount } from '../../profiles/profiles/index.ts'

/** Whether the recipient still has the role that a notification requires. Notifications for an account require none. */
export async function hasRoleFor(
  { accountId, profileId, permission }: Pick<Notification, 'accountId' | 'profileId' | 'permission'>,
  read: Readers,
  may: May,
): Promise<boolean> {
  if (profileId === null) return true
  const profile = await read.profiles.get(profileId)
  if (!profile || profile.withdrawnAt) return false
  if (profile.ownerAccountId === accountId) return true
  return permission !== null && may(await roleOfAccount(read, profile, accountId), permission)
}
