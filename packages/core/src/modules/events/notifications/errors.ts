import { defineError } from '../../../kernel/errors.ts'

export const notActiveProfile = defineError(
  'not_active_profile',
  403,
  'profile_id must be the active profile; send its id in X-Active-Profile-Id',
)
export const unknownNotificationKind = defineError(
  'unknown_notification_kind',
  400,
  'This service has no notifications of this kind',
)
export const notificationWithoutEmail = defineError(
  'notification_without_email',
  400,
  'Notifications of this kind are never sent by email',
)
