import type { SessionChoice } from '../../../ports/storage/sessions.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import { type SessionEndReason, sessionsEnded } from './events.ts'

/** Ends sessions of an account in a transaction, and emits one event for all of them. Returns how many ended. */
export async function endSessions(
  tx: Stores,
  emit: Emit,
  accountId: string,
  reason: SessionEndReason,
  which?: SessionChoice | undefined,
): Promise<number> {
  const ended = await tx.sessions.delete(accountId, which)
  const sessionId = which && 'id' in which ? which.id : null
  const use = (which && 'id' in which ? which.use : undefined) ?? null
  const exceptSessionId = which && 'except' in which ? (which.except ?? null) : null
  if (ended > 0) emit(sessionsEnded, { accountId, sessionId, use, exceptSessionId, reason }, { accountId })
  return ended
}
