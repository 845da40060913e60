import { z } from 'zod'
import { defineNotification } from '../../module/define-notification.ts'
import { jobFinished } from './events.ts'

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
  text: ({ count, data: { jobId, kind, status } }) => {
    const came = status === 'succeeded' ? 'finished' : 'failed'
    return count > 1
      ? { title: `${count} jobs "${kind}" ${came}`, link: '/jobs' }
      : { title: `The job "${kind}" ${came}`, link: `/jobs/${jobId}` }
  },
})

export const jobNotifications = [finished] as const
