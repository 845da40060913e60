import type { Caller } from '../../../model/caller.ts'
import type { Readers } from '../../../ports/storage/storage.ts'

const RECENT_MS = 10 * 60_000

/**
 * Whether the session of a caller began at most ten minutes before a time. Only such a session may give its account another way to
 * sign in, because a stolen one must not get a way that outlives it.
 */
export async function hasRecentSignIn(
  { sessions }: Pick<Readers, 'sessions'>,
  { sessionId }: Pick<Caller, 'sessionId'>,
  at: Date,
): Promise<boolean> {
  const found = sessionId === undefined ? undefined : await sessions.getWithAccount(sessionId)
  return found !== undefined && at.getTime() - found.session.createdAt.getTime() <= RECENT_MS
}
