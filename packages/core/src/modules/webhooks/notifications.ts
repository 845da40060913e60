import { z } from 'zod'
import { defineNotification } from '../../module/define-notification.ts'
import { requireGroup } from '../../storage/require-group.ts'
import { subscriptionPaused } from './events.ts'

const CAUSES = {
  failures: 'Five events in a row could not be delivered. New events are queued.',
  gone: 'The receiver answered 410 Gone. New events are queued.',
  backlog: 'Too many events are waiting, or they waited longer than events are kept.',
} as const

const pauses = defineNotification({
  kind: 'webhook_paused',
  summary: 'Paused webhooks',
  email: 'immediately',
  events: [subscriptionPaused],
  data: z.object({
    id: z.string(),
    host: z.string(),
    reason: z.enum(['failures', 'gone', 'backlog']),
    missedSince: z.string().nullable(),
  }),
  async notify({ accountId, data: { subscriptionId: id, reason } }, read) {
    if (accountId === null || reason === 'owner') return undefined
    const webhook = await requireGroup(read, 'webhooks').webhooks.get(id)
    if (webhook?.status !== 'paused') return undefined
    const { deliveryUrl, sourceProfileId, missedSince } = webhook
    return {
      to: { accountId },
      aboutProfileId: sourceProfileId,
      data: { id, reason, host: new URL(deliveryUrl).host, missedSince: missedSince?.toISOString() ?? null },
    }
  },
  text: ({ about, data: { id, host, reason, missedSince } }) => ({
    title: 'One of your webhooks was paused',
    body: [
      `Events${about ? ` of ${about.username}` : ''} are no longer delivered to ${host}. ${CAUSES[reason]}`,
      ...(missedSince === null
        ? []
        : [`Events since ${missedSince} are missing: replay them after you resume the subscription.`]),
      `When the receiver works again, resume the subscription ${id}. Its delivery log lists the attempts.`,
      'If you no longer need it, cancel it.',
    ],
    link: `/eep/subscriptions/${id}`,
  }),
})

export const webhookNotifications = [pauses] as const
