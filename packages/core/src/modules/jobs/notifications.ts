import { z } from 'zod'
import { defineNotification } from '../../framework/module/define-notification.ts'
import { jobFinished } from './events.ts'
import { jobNoticeMessages } from './messages.ts'

const finished = defineNotification({
  kind: 'job',
  summary: 'Jobs and exports that are ready, or failed',
  email: 'off',
  events: [jobFinished],
  data: z.object({ jobId: z.string(), kind: z.string(), status: z.enum(['succeeded', 'failed']) }),
  notify: ({ accountId, profileId, data: { jobId, kind, status } }) =>
    accountId === null || status === 'cancelled'
      ? undefined
      : { to: { accountId }, aboutProfileId: profileId, groupKey: `${kind}:${status}`, data: { jobId, kind, status } },
  text({ count, data: { jobId, kind, status }, ...reader }) {
    const say = jobNoticeMessages(reader)
    return count > 1
      ? {
          title: say(status === 'succeeded' ? 'manySucceeded' : 'manyFailed', { count, kind }),
          link: '/jobs',
          page: null,
        }
      : { title: say(status, { kind }), link: `/jobs/${jobId}`, page: null }
  },
})

export const jobNotifications = [finished] as const
