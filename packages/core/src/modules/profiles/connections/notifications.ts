import { z } from 'zod'
import { defineNotification } from '../../../framework/module/define-notification.ts'
import { profileFollowed } from './events.ts'
import { followMessages } from './messages.ts'

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
  text({ count, actor, about, ...reader }) {
    const say = followMessages(reader)
    const named = { count, who: actor?.username ?? say('aProfile'), whom: about?.username ?? '' }
    const key = count > 1 ? 'many' : 'one'
    return { title: say(about ? key : `${key}You`, named), link: count > 1 ? undefined : actor?.path }
  },
})

export const connectionNotifications = [follows] as const
