import type { Clock } from '../../kernel/clock.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { Caller } from '../../model/caller.ts'
import type { StoredEvent } from '../../ports/storage/events.ts'
import { accountBanned, deletionScheduled, sessionsEnded } from '../accounts/events.ts'
import { keyRevoked, keyRotated } from '../api-keys/events.ts'

interface Watched {
  readonly caller: Caller
  readonly onEnded: () => void
}

/** Whether the session of a caller is one of those that ended. */
function hasEnded({ sessionId }: Caller, { sessionId: only, exceptSessionId }: JsonObject): boolean {
  if (sessionId === undefined) return false
  return only === null ? sessionId !== exceptSessionId : sessionId === only
}

/** Notices that the credentials of connected clients ended, on this or another instance. */
export function createCredentialWatch(clock: Clock) {
  const watched = new Map<string, Set<Watched>>()

  const hasExpired = ({ expiresAt, sessionExpiresAt }: Caller): boolean => {
    const now = clock()
    return (expiresAt !== undefined && expiresAt <= now) || (sessionExpiresAt !== undefined && sessionExpiresAt <= now)
  }

  function remove(each: Watched): boolean {
    const ofAccount = watched.get(each.caller.account.id)
    const wasThere = ofAccount?.delete(each) === true
    if (ofAccount?.size === 0) watched.delete(each.caller.account.id)
    return wasThere
  }

  function endWhere(accountId: string, isEnded: (caller: Caller) => boolean): void {
    for (const each of [...(watched.get(accountId) ?? [])]) {
      if (isEnded(each.caller) && remove(each)) each.onEnded()
    }
  }

  return {
    /** Calls a function once when the credential of a caller has ended. Returns how to stop watching. */
    watch(caller: Caller, onEnded: () => void): () => void {
      const each: Watched = { caller, onEnded }
      const ofAccount = watched.get(caller.account.id) ?? new Set()
      watched.set(caller.account.id, ofAccount.add(each))
      return () => void remove(each)
    },

    /** Ends those whose time is over. */
    checkExpiry(): void {
      for (const accountId of [...watched.keys()]) endWhere(accountId, hasExpired)
    },

    /** Notes what an event ends. Called for each event of the log. */
    note({ type, accountId, data }: StoredEvent): void {
      if (accountId === null || !watched.has(accountId)) return
      if (type === sessionsEnded.type) endWhere(accountId, (caller) => hasEnded(caller, data))
      if (type === keyRevoked.type) endWhere(accountId, ({ keyId }) => keyId !== undefined && keyId === data.keyId)
      if (type === keyRotated.type) {
        endWhere(accountId, ({ keyId }) => keyId !== undefined && keyId === data.replacedKeyId)
      }
      if (type === accountBanned.type || type === deletionScheduled.type) endWhere(accountId, () => true)
    },
  }
}

export type CredentialWatch = ReturnType<typeof createCredentialWatch>
