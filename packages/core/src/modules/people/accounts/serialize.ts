import type { z } from 'zod'
import type {
  browserSessionSchema,
  callerAccountSchema,
  listedSessionSchema,
  sessionSchema,
  userSchema,
} from './schemas.ts'
import type { AccountDescription, ListedSession, Session } from './sessions.ts'

/** Serializes an account. */
export const serializeUser = ({
  account,
  profiles,
  activeProfileId,
  isAdmin,
}: AccountDescription): z.input<typeof userSchema> => ({
  id: account.id,
  email: account.email,
  email_verified: account.emailVerified,
  email_owned: account.emailOwned,
  username: account.username,
  full_name: account.fullName,
  language: account.language,
  created_at: account.createdAt.toISOString(),
  tier: account.tier,
  profiles: profiles.map(({ profile: { id, type, username }, role }) => ({ id, profile_type: type, username, role })),
  active_profile_id: activeProfileId,
  deletion_scheduled_at: account.deletionScheduledAt?.toISOString() ?? null,
  ...(isAdmin === undefined ? {} : { isAdmin }),
})

/** Serializes an account for a connected app, which does not learn its address. */
export function serializeForApp(described: AccountDescription): z.input<typeof callerAccountSchema> {
  const { email, email_verified, email_owned, ...rest } = serializeUser(described)
  return rest
}

/** Serializes a new session. */
export const serializeSession = (session: Session): z.input<typeof sessionSchema> => ({
  token: session.token,
  token_type: 'Bearer',
  ...serializeBrowserSession(session),
})

/** Serializes a new session of a browser, whose only token is in the cookie. */
export const serializeBrowserSession = (session: Session): z.input<typeof browserSessionSchema> => ({
  expires_at: session.expiresAt.toISOString(),
  user: serializeUser(session),
})

/** Serializes a session of the caller. */
export const serializeListedSession = (session: ListedSession): z.input<typeof listedSessionSchema> => ({
  id: session.id,
  created_at: session.createdAt.toISOString(),
  last_used_at: session.lastUsedAt.toISOString(),
  expires_at: session.expiresAt.toISOString(),
  user_agent: session.userAgent,
  current: session.isCurrent,
  uses: [...session.uses],
})
