import { z } from 'zod'
import { defineNotification } from '../../../framework/module/define-notification.ts'
import { FAILURE_REASONS, publicationFailed } from './events.ts'
import { publicationMessages } from './messages.ts'

const failures = defineNotification({
  kind: 'publication_failed',
  summary: 'Pages that were not published at their scheduled time',
  email: 'immediately',
  events: [publicationFailed],
  data: z.object({ pageId: z.int(), reason: z.enum(FAILURE_REASONS) }),
  notify: ({ profileId, data: { pageId, reason } }) =>
    profileId === null ? undefined : { to: { profileId, permission: 'content.publish' }, data: { pageId, reason } },
  text({ about, data: { pageId, reason }, ...reader }) {
    const say = publicationMessages(reader)
    const named = { whom: about?.username ?? '' }
    return {
      title: say(about ? 'failed' : 'failedYours', named),
      body: [say(reason)],
      link: `/manage/pages/${pageId}`,
      page: null,
    }
  },
})

export const contentNotifications = [failures] as const
