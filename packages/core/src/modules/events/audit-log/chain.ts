import { randomBytes } from 'node:crypto'
import { canonicalJson, sha256 } from '../../../kernel/digest.ts'
import { ERASED_DID } from '../../../kernel/erased-ids.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import type { ActingApp } from '../../../model/acting-app.ts'
import type { AuditOutcome, AuditType } from '../../../model/audit.ts'
import type { AuditChainEnd, AuditLogEntry, NewAuditLogEntry } from '../../../ports/storage/audit-log.ts'

/** An entry before it has a place in a log. */
export interface AuditDraft {
  readonly entryId: string
  readonly eventType: AuditType
  readonly actor: { readonly did: string; readonly accountId: string | null; readonly profileId: number | null }
  /** The app by which an account acted. */
  readonly through: (ActingApp & { readonly accountId: string }) | null
  readonly publisherDid: string
  readonly at: Date
  readonly outcome: AuditOutcome
  readonly details: JsonObject
}

/** Why a log does not verify at an entry. */
export type ChainFault =
  | 'missing_entry'
  | 'hash_mismatch'
  | 'previous_hash_mismatch'
  | 'actor_mismatch'
  | 'invalid_signature'
  | 'invalid_hash_signature'

type SignedFields = Pick<AuditLogEntry, 'entryId' | 'eventType' | 'actorDid' | 'publisherDid' | 'at' | 'outcome'>
type HashedFields = Pick<
  AuditLogEntry,
  'position' | 'entryId' | 'eventType' | 'actorDigest' | 'throughDigest' | 'publisherDid' | 'at' | 'outcome' | 'details'
>

/** The text that `signature` of an entry signs, in UTF-8: six values, joined by line feeds, without a trailing one. */
const signedText = ({ entryId, eventType, actorDid, publisherDid, at, outcome }: SignedFields): string =>
  [entryId, eventType, actorDid, publisherDid, at.toISOString(), outcome].join('\n')

/** SHA-256 (hex) of the hash before an entry and the canonical JSON (RFC 8785) of what cannot change in the entry. */
const hashOf = (previousHash: string, entry: HashedFields): string =>
  sha256(
    previousHash +
      canonicalJson({
        ...entry.details,
        position: entry.position,
        entry_id: entry.entryId,
        event_type: entry.eventType,
        actor_digest: entry.actorDigest,
        // Absent without an app, as in entries that are older than apps.
        ...(entry.throughDigest !== null && { via_digest: entry.throughDigest }),
        publisher_did: entry.publisherDid,
        timestamp: entry.at.toISOString(),
        outcome: entry.outcome,
      }),
  )

/** The digest of the actor that the hash covers. It does not reveal the DID once the salt is deleted. */
const actorDigestOf = (salt: string, did: string): string => sha256(`${salt}\n${did}`)

/** The digest of the app that the hash covers. */
const throughDigestOf = (salt: string, { name, host }: ActingApp): string =>
  sha256(`${salt}\n${canonicalJson({ name, host })}`)

const SALT_BYTES = 32

const newSalt = () => randomBytes(SALT_BYTES).toString('base64url')

/** Signs drafts and links them to the end of a log. */
export function linkEntries(
  end: AuditChainEnd,
  drafts: readonly AuditDraft[],
  { signText }: Pick<Keyring, 'signText'>,
): readonly NewAuditLogEntry[] {
  let { position, hash: previousHash } = end
  return drafts.map(({ actor, through, ...draft }) => {
    position += 1
    const isErased = actor.did === ERASED_DID
    const salt = newSalt()
    const throughSalt = through && newSalt()
    const throughDigest = through && throughSalt && throughDigestOf(throughSalt, through)
    const actorDigest = actorDigestOf(salt, actor.did)
    const hash = hashOf(previousHash, { ...draft, position, actorDigest, throughDigest })
    const redactedSignature = signText(signedText({ ...draft, actorDid: ERASED_DID }))
    const entry: NewAuditLogEntry = {
      ...draft,
      position,
      actorDid: actor.did,
      actorSalt: isErased ? null : salt,
      actorDigest,
      actorAccountId: actor.accountId,
      actorProfileId: actor.profileId,
      through: through && { name: through.name, host: through.host },
      throughSalt,
      throughDigest,
      throughAccountId: through?.accountId ?? null,
      previousHash,
      hash,
      hashSignature: signText(hash),
      signature: isErased ? redactedSignature : signText(signedText({ ...draft, actorDid: actor.did })),
      redactedSignature,
    }
    previousHash = hash
    return entry
  })
}

/** Checks an entry after the end of a log; undefined when it belongs there and is unchanged. */
export function faultOf(
  end: AuditChainEnd,
  entry: AuditLogEntry,
  { isOwnSignature }: Pick<Keyring, 'isOwnSignature'>,
): ChainFault | undefined {
  if (entry.position !== end.position + 1) return 'missing_entry'
  if (entry.previousHash !== end.hash) return 'previous_hash_mismatch'
  if (hashOf(entry.previousHash, entry) !== entry.hash) return 'hash_mismatch'
  if (!isOwnSignature(entry.hash, entry.hashSignature)) return 'invalid_hash_signature'
  if (!isOwnActor(entry) || !isOwnApp(entry)) return 'actor_mismatch'
  if (!isOwnSignature(signedText(entry), entry.signature)) return 'invalid_signature'
  return undefined
}

const isOwnActor = ({ actorDid, actorSalt, actorDigest }: AuditLogEntry): boolean =>
  actorSalt === null ? actorDid === ERASED_DID : actorDigestOf(actorSalt, actorDid) === actorDigest

const isOwnApp = ({ through, throughSalt, throughDigest }: AuditLogEntry): boolean =>
  through === null || throughSalt === null
    ? through === null && throughSalt === null
    : throughDigestOf(throughSalt, through) === throughDigest
