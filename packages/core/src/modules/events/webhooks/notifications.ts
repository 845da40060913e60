import { z } from 'zod'
import { defineNotification } from '../../../framework/module/define-notification.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { roleOfAccount } from '../../profiles/profiles/index.ts'
import { subscriptionCreated, subscriptionPaused } from './events.ts'
import { newWebhookMessages, webhookNoticeMessages } from './messages.ts'

async function hasRole(read: Readers, profileId: number, accountId: string): Promise<boolean> {
  const profile = await read.profiles.get(profileId)
  return profile !== undefined && (await roleOfAccount(read, profile, accountId)) !== undefined
}

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

const creations = defineNotification({
  kind: 'webhook_created',
  summary: 'New receivers of private events',
  email: 'immediately',
  events: [subscriptionCreated],
  data: z.object({ id: z.string(), host: z.string() }),
  async notify({ accountId, data: { subscriptionId: id, isNewReceiver } }, read) {
    if (accountId === null || !isNewReceiver) return undefined
    const webhook = await requireGroup(read, 'webhooks').webhooks.get(id)
    if (!webhook) return undefined
    const { deliveryUrl, sourceProfileId } = webhook
    // The private events of a profile are delivered only to those who have a role in it.
    if (sourceProfileId !== null && !(await hasRole(read, sourceProfileId, accountId))) return undefined
    return { to: { accountId }, aboutProfileId: sourceProfileId, data: { id, host: new URL(deliveryUrl).host } }
  },
  text({ about, data: { id, host }, ...reader }) {
    const say = newWebhookMessages(reader)
    return {
      title: say('title'),
      body: [
        about ? say('receivesOf', { profile: about.username, host }) : say('receives', { host }),
        say('end', { id }),
      ],
      link: `/eep/subscriptions/${id}`,
      page: null,
    }
  },
})

export const webhookNotifications = [creations, pauses] as const
