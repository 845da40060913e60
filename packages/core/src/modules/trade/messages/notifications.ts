import { z } from 'zod'
import { defineNotification } from '../../../framework/module/define-notification.ts'
import { messageReceived } from './events.ts'
import { messageNoticeMessages } from './messages.ts'

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
  text({ actor, about, data: { conversationId }, ...reader }) {
    const say = messageNoticeMessages(reader)
    const named = { who: actor?.username ?? say('aProfile'), whom: about?.username ?? '' }
    return {
      title: say(about ? 'wrote' : 'wroteYou', named),
      link: `/messages/conversations/${conversationId}/messages`,
      // The page is that of the person of the account.
      page: about ? null : `/messages/threads/${conversationId}`,
    }
  },
})

export const messageNotifications = [received] as const
