import { z } from 'zod'
import { defineNotification } from '../../module/define-notification.ts'
import { requireGroup } from '../../storage/require-group.ts'
import { subscriptionPaused } from './events.ts'
import { webhookNoticeMessages } from './notification-messages.ts'

const pauses = defineNotification({
  kind: 'webhook_paused',
  summary: 'Paused webhooks',
  email: 'immediately',
  events: [subscriptionPaused],
  data: z.object({
    id: z.string(),
    host: z.string(),
    reason: z.enum(['failures', 'gone', 'backlog', 'key_ended']),
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
  text({ about, data: { id, host, reason, missedSince }, ...reader }) {
    const say = webhookNoticeMessages(reader)
    const stopped = about ? say('stoppedOf', { profile: about.username, host }) : say('stopped', { host })
    return {
      title: say('title'),
      body: [
        `${stopped} ${say(reason)}`,
        ...(missedSince === null ? [] : [say('missing', { time: missedSince })]),
        say(reason === 'key_ended' ? 'resumeSignedIn' : 'resume', { id }),
        say('cancel'),
      ],
      link: `/eep/subscriptions/${id}`,
      page: null,
    }
  },
})

export const webhookNotifications = [pauses] as const
