import type { OpenEntry } from './entries.ts'
import type { OpenSession } from './service.ts'

/** Serializes a session (docs/guides/memory.md). */
export const serializeSession = (session: OpenSession) => ({
  id: session.id,
  profile_id: session.profileId,
  agent_did: session.agentDid,
  name: session.name,
  entries: session.entries,
  bytes: session.bytes,
  created_at: session.createdAt.toISOString(),
  updated_at: session.updatedAt.toISOString(),
  expires_at: session.expiresAt.toISOString(),
})

/** Serializes an entry. */
export const serializeEntry = ({ createdAt, updatedAt, ...entry }: OpenEntry) => ({
  ...entry,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
})
