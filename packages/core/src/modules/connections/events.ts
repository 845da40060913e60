import { z } from 'zod'
import { defineEvent } from '../../events/define-event.ts'

/** About the profile that follows. */
const connection = {
  audience: 'public',
  subject: 'profile',
  data: z.object({ followerProfileId: z.int(), followeeProfileId: z.int() }),
} as const

export const profileFollowed = defineEvent('connections.profile_followed', {
  ...connection,
  signal: 'connection.followed',
  summary: 'A profile followed another',
})
export const profileUnfollowed = defineEvent('connections.profile_unfollowed', {
  ...connection,
  signal: 'connection.unfollowed',
  summary: 'A profile stopped following another',
})

export const connectionEvents = [profileFollowed, profileUnfollowed] as const
