import type { z } from 'zod'
import type { AuditLogEntry } from '../../../ports/storage/audit-log.ts'
import type { auditLogEntry, verificationSchema } from './schemas.ts'
import type { Verification } from './service.ts'

/** Serializes an entry in the form of EEP. The position and hashes are in `metadata.chain`. */
export function serializeEntry(entry: AuditLogEntry): z.input<typeof auditLogEntry> {
  const { metadata, ...details } = entry.details
  return {
    entry_id: entry.entryId,
    event_type: entry.eventType,
    actor_did: entry.actorDid,
    publisher_did: entry.publisherDid,
    timestamp: entry.at.toISOString(),
    outcome: entry.outcome,
    signature: entry.signature,
    ...details,
    metadata: {
      ...(metadata as object | undefined),
      ...(entry.through && { via: entry.through }),
      chain: {
        position: entry.position,
        previous_hash: entry.previousHash,
        hash: entry.hash,
        hash_signature: entry.hashSignature,
        actor_digest: entry.actorDigest,
        actor_salt: entry.actorSalt,
        ...(entry.throughDigest !== null && { via_digest: entry.throughDigest, via_salt: entry.throughSalt }),
      },
    },
  }
}

const place = (entry: AuditLogEntry | undefined) =>
  entry
    ? {
        position: entry.position,
        entry_id: entry.entryId,
        hash: entry.hash,
        hash_signature: entry.hashSignature,
      }
    : null

/** Serializes the result of a verification. */
export const serializeVerification = (result: Verification): z.input<typeof verificationSchema> => ({
  publisher_did: result.publisherDid,
  ok: result.broken === undefined,
  count: result.checked,
  first: place(result.first),
  last: place(result.last),
  broken: result.broken
    ? { position: result.broken.position, entry_id: result.broken.entryId, reason: result.broken.reason }
    : null,
  next_position: result.next ?? null,
})
