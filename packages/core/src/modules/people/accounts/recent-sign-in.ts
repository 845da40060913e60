import type { StoredSession } from '../../../ports/storage/sessions.ts'

const RECENT_MS = 10 * 60_000

/**
 * Whether a session began at most ten minutes before a time. Only such a session may give its account another way to sign in,
 * because a stolen one must not get a way that outlives it.
 */
export const isRecentSignIn = ({ createdAt }: Pick<StoredSession, 'createdAt'>, at: Date): boolean =>
  at.getTime() - createdAt.getTime() <= RECENT_MS
