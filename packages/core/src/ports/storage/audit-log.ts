import type { JsonObject } from '../../kernel/json.ts'
import type { Page, PageRequest } from '../../kernel/page.ts'
import type { ActingApp } from '../../model/acting-app.ts'
import type { AuditOutcome, AuditType } from '../../model/audit.ts'
import type { ErasedAccount } from './erasure.ts'

export type { AuditGateType, AuditOutcome, AuditType } from '../../model/audit.ts'

/** The hash before the first entry of a log: 64 zeros. */
export const FIRST_AUDIT_HASH = '0'.repeat(64)

/** An entry in the audit log of a profile. Each entry contains the hash of the one before it. */
export interface AuditLogEntry {
  readonly profileId: number
  /** Its place in the log of the profile, from 1 without gaps. */
  readonly position: number
  /** UUID. */
  readonly entryId: string
  readonly eventType: AuditType
  /** Who acted. `ERASED_DID` once the account or profile of the actor is deleted. */
  readonly actorDid: string
  /** Null once the account or profile of the actor is deleted. */
  readonly actorSalt: string | null
  /** The digest of the salt and the DID of the actor. The hash covers it in place of the DID, so the DID can be erased. */
  readonly actorDigest: string
  /** The app by which an account acted; null for none, and once that account or the actor is erased. */
  readonly through: ActingApp | null
  /** Null without `through`. */
  readonly throughSalt: string | null
  /** The digest of the salt and the app, which the hash covers so that the app can be erased. Null when there never was one. */
  readonly throughDigest: string | null
  /** The DID of the profile at that time. */
  readonly publisherDid: string
  readonly at: Date
  readonly outcome: AuditOutcome
  /** The optional fields of the entry, as they are served. */
  readonly details: JsonObject
  readonly previousHash: string
  readonly hash: string
  readonly hashSignature: string
  readonly signature: string
}

/** An entry to append. */
export interface NewAuditLogEntry extends Omit<AuditLogEntry, 'profileId'> {
  /** The account that the DID of the actor names; null for another actor. */
  readonly actorAccountId: string | null
  /** The profile that the DID of the actor names; null for another actor. */
  readonly actorProfileId: number | null
  /** The account that acted by the app; null without an app. */
  readonly throughAccountId: string | null
  /** Replaces `signature` when the actor is erased. */
  readonly redactedSignature: string
}

/** The end of the log of a profile: the position and hash of its last entry. */
export interface AuditChainEnd {
  readonly position: number
  readonly hash: string
}

/** The log of a profile without its entries. */
export interface AuditChain extends AuditChainEnd {
  /** The position of the oldest entry that is stored; one after `position` when none is. */
  readonly firstPosition: number
  /** The hash of the entry before that one. */
  readonly baseHash: string
}

/** Selects entries. All conditions must hold. */
export interface AuditLogQuery {
  /** Default: the logs of all profiles. */
  readonly profileId?: number | undefined
  readonly actorDid?: string | undefined
  readonly eventType?: AuditType | undefined
  readonly outcome?: AuditOutcome | undefined
  /** Entries at or after this time. */
  readonly from?: Date | undefined
  /** Entries before this time. */
  readonly to?: Date | undefined
  readonly sort: 'asc' | 'desc'
}

/** The audit logs of profiles, for reading. */
export interface AuditLogReader {
  /** Entries by (at, profile_id, position). With `offset` it skips that many entries and returns no cursor. */
  list(query: AuditLogQuery, page: PageRequest & { readonly offset?: number | undefined }): Promise<Page<AuditLogEntry>>
  /** The log of a profile; undefined while it has none. */
  getChain(profileId: number): Promise<AuditChain | undefined>
  /** The entries of a profile after a position, in order. */
  listChain(
    profileId: number,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly AuditLogEntry[]>
}

/** The audit logs of profiles. They are deleted with their profile. */
export interface AuditLogStore extends AuditLogReader {
  /**
   * Appends entries after the end of a log, all or none. `moved` when the log does not end there: of concurrent calls with the
   * same end, exactly one appends. `gone` when the profile does not exist. Entries whose actor was erased are stored as
   * redacted. An empty log ends at position 0 with {@link FIRST_AUDIT_HASH}.
   */
  append(
    profileId: number,
    end: AuditChainEnd,
    entries: readonly NewAuditLogEntry[],
  ): Promise<'appended' | 'moved' | 'gone'>
  /**
   * Deletes the oldest entries of logs whose first entry is older than a time, at most `limit`, and moves their base after
   * the last deleted entry. Returns the number of deleted entries; call it again until it returns 0. Newer entries are
   * never deleted.
   */
  prune(before: Date, limit: number): Promise<number>
  /** Redacts the entries whose actor is one of the profiles, as {@link AuditLogStore.eraseAccount} does. */
  redactActors(profileIds: readonly number[]): Promise<void>
  /**
   * Deletes the logs of the profiles, and redacts the entries whose actor is the account or one of the profiles: `ERASED_DID`
   * replaces the DID, the salt and the app are deleted, and the signature of the redacted entry replaces the other one. From entries of
   * other actors it deletes the app by which the account acted.
   */
  eraseAccount(account: ErasedAccount): Promise<void>
}
