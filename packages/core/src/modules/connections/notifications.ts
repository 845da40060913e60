import { z } from 'zod'
import { defineNotification } from '../../module/define-notification.ts'
import { profileFollowed } from './events.ts'

const follows = defineNotification({
  kind: 'follow',
  summary: 'New followers',
  email: 'off',
  events: [profileFollowed],
  data: z.object({}),
  notify: ({ data: { followerProfileId, followeeProfileId } }) => ({
    to: { profileId: followeeProfileId },
    actorProfileId: followerProfileId,
    groupKey: 'follow',
    data: {},
  }),
  text: ({ count, actor, about }) => ({
    title: `${count > 1 ? `${count} profiles` : (actor?.username ?? 'A profile')} followed ${about?.username ?? 'you'}`,
    link: count > 1 ? undefined : actor?.path,
  }),
})

export const connectionNotifications = [follows] as const
