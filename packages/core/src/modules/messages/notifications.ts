import { z } from 'zod'
import { defineNotification } from '../../module/define-notification.ts'
import { messageReceived } from './events.ts'

const received = defineNotification({
  kind: 'message',
  summary: 'Messages to your profiles',
  email: 'daily',
  events: [messageReceived],
  data: z.object({ conversationId: z.string() }),
  // Negotiation moves have notifications of the module commerce.
  notify: ({ profileId, data: { kind, conversationId, senderProfileId } }) =>
    profileId === null || kind !== 'message'
      ? undefined
      : {
          to: { profileId, permission: 'messages.read' },
          actorProfileId: senderProfileId,
          groupKey: conversationId,
          data: { conversationId },
        },
  text: ({ actor, about, data: { conversationId } }) => ({
    title: `${actor?.username ?? 'A profile'} wrote to ${about?.username ?? 'you'}`,
    link: `/messages/conversations/${conversationId}/messages`,
  }),
})

export const messageNotifications = [received] as const
