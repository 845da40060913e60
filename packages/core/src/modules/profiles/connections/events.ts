import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

/** About the profile that follows. */
const connection = {
  audience: 'public',
  subject: 'profile',
  data: z.object({ followerProfileId: z.int(), followeeProfileId: z.int() }),
} as const

interface Connection {
  readonly followerProfileId: number
  readonly followeeProfileId: number
}

/** Sent while both profiles are public. */
const signalled = <const Type extends string>(type: Type) => ({
  types: { [type]: z.object({ entity_id: z.int(), followee_id: z.int(), followee_did: z.string() }) },
  of: ({ followerProfileId, followeeProfileId }: Connection) => ({
    type,
    data: { entity_id: followerProfileId, followee_id: followeeProfileId },
    dids: { followee_did: followeeProfileId },
  }),
})

export const profileFollowed = defineEvent('connections.profile_followed', {
  ...connection,
  signal: signalled('connection.followed'),
  summary: 'A profile followed another',
})
export const profileUnfollowed = defineEvent('connections.profile_unfollowed', {
  ...connection,
  signal: signalled('connection.unfollowed'),
  summary: 'A profile stopped following another',
})

export const connectionEvents = [profileFollowed, profileUnfollowed] as const
