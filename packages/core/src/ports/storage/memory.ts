import type { Page, PageRequest } from '../../kernel/page.ts'

/** The source of an entry. */
export type MemoryRole = 'user' | 'assistant' | 'system' | 'tool'

/** A text as it is stored: encrypted when it has a key, else as it was given. */
export interface MemoryText {
  readonly text: string
  /** The id of the key that it is encrypted with; null for plain text. */
  readonly keyId: string | null
}

/** A session to insert. */
export interface NewMemorySession {
  /** UUID. */
  readonly id: string
  readonly profileId: number
  /** The agent that it belongs to; null for all agents that act for the profile without a DID. */
  readonly agentDid: string | null
  readonly name: MemoryText | null
  readonly createdAt: Date
  /** From this moment on it does not exist for readers. */
  readonly expiresAt: Date
}

/** The memory of one task, until it expires. */
export interface MemorySession extends NewMemorySession {
  /** When an entry was added, changed or deleted last. */
  readonly updatedAt: Date
  /** The number of its entries. */
  readonly entries: number
  /** The size of their contents and metadata as JSON. */
  readonly bytes: number
}

/** An entry to add. */
export interface NewMemoryEntry {
  readonly role: MemoryRole
  /** The content and metadata as JSON. */
  readonly payload: MemoryText
  /** 0 to 1. */
  readonly importance: number
  /** The size that quotas count. */
  readonly bytes: number
  /** When an imported entry was first added. Default: when it is added. */
  readonly createdAt?: Date | undefined
}

/** What an account has in sessions that have not expired, over all of its profiles. */
export interface MemoryUse {
  readonly sessions: number
  readonly entries: number
  /** The size of contents and metadata as JSON. */
  readonly bytes: number
}

/** An entry of a session. */
export interface MemoryEntry extends NewMemoryEntry {
  /** Ascending in the order in which entries were added. */
  readonly id: number
  readonly sessionId: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** An entry with the profile that its session belongs to. */
export interface MemoryEntryOfProfile extends MemoryEntry {
  readonly profileId: number
}

/** What an account may keep in all sessions of its profiles, and how many entries one session may have. */
export interface MemoryQuota {
  readonly maxBytes: number
  readonly maxEntries: number
}

/** Why nothing was stored. `not_found`: the session is unknown or has expired. */
export type MemoryRefusal = 'not_found' | 'too_many_entries' | 'too_large'

/** Sessions of which agents: of one, of none (null), or of any. */
export type MemoryOwner = { readonly did: string | null } | 'any'

/** A session that was removed. */
export type RemovedMemorySession = Pick<MemorySession, 'id' | 'profileId'>

/** A text to encrypt again, and the session that it belongs to. */
export interface OutdatedMemoryText extends MemoryText {
  readonly sessionId: string
  /** The entry; null for the name of the session. */
  readonly entryId: number | null
}

/** Memory of agents, for reading. Sessions that have expired by `at` are not found. */
export interface MemoryReader {
  /** Returns a session without its entries; undefined when it does not exist or has expired. */
  getSession(id: string, at: Date): Promise<MemorySession | undefined>
  /** What an account has in all sessions of its profiles. */
  useOfAccount(accountId: string, at: Date): Promise<MemoryUse>
  /** The sessions of a profile, newest first. */
  listSessions(
    query: { readonly profileId: number; readonly owner: MemoryOwner; readonly at: Date },
    page: PageRequest,
  ): Promise<Page<MemorySession>>
  /** The entries of a session with these ids, in no order. */
  getEntries(sessionId: string, ids: readonly number[]): Promise<readonly MemoryEntry[]>
  /** The entries of a session, newest first. */
  listEntries(sessionId: string, page: PageRequest): Promise<Page<MemoryEntry>>
  /** The newest entries of a session, newest first, at most `maxEntries` with at most `maxBytes` together. */
  listNewest(
    sessionId: string,
    most: { readonly maxEntries: number; readonly maxBytes: number },
  ): Promise<readonly MemoryEntry[]>
  /** Entries of all sessions that have not expired, by ascending id after one. */
  listAll(after: number, limit: number, at: Date): Promise<readonly MemoryEntryOfProfile[]>
}

/** Memory of agents. Expired sessions accept no changes. */
export interface MemoryStore extends MemoryReader {
  /**
   * Locks the account that owns a profile until the transaction ends, so that its quotas are counted by one transaction at a time.
   * False when the profile is gone. The other methods lock it too; call this first when the transaction also locks the profile.
   */
  hold(profileId: number): Promise<boolean>
  /** Locks a session until the transaction ends. */
  lockSession(id: string, at: Date): Promise<MemorySession | undefined>
  /**
   * Inserts a session, unless the account that owns the profile has `maxSessions` that have not expired at `at`. Of concurrent calls
   * as many succeed as fit. `profile_gone`: the profile was deleted.
   */
  insertSession(
    session: NewMemorySession,
    maxSessions: number,
    at: Date,
  ): Promise<MemorySession | 'too_many' | 'profile_gone'>
  /**
   * Deletes a session: from now on no method returns it, its entries or their sizes. True for exactly one of concurrent calls. The rows
   * remain until {@link MemoryStore.sweep}.
   */
  deleteSession(id: string): Promise<boolean>
  /**
   * Adds entries to a session, all of them or none. Quotas hold under concurrent calls, over all sessions of the account. Returned in
   * order, with ascending ids.
   */
  addEntries(
    sessionId: string,
    entries: readonly NewMemoryEntry[],
    quota: MemoryQuota,
    at: Date,
  ): Promise<readonly MemoryEntry[] | MemoryRefusal>
  /** Replaces an entry. */
  updateEntry(
    sessionId: string,
    id: number,
    entry: NewMemoryEntry,
    quota: Pick<MemoryQuota, 'maxBytes'>,
    at: Date,
  ): Promise<MemoryEntry | Exclude<MemoryRefusal, 'too_many_entries'>>
  /** Deletes an entry. True for exactly one of concurrent calls. */
  deleteEntry(sessionId: string, id: number, at: Date): Promise<boolean>
  /** Deletes sessions that have expired as `deleteSession` does, at most `limit`. Of concurrent calls one gets each of them. */
  removeExpired(at: Date, limit: number): Promise<readonly RemovedMemorySession[]>
  /** Deletes the rows of deleted sessions and of their entries, at most `limit`. Returns how many; 0 when none remain. */
  sweep(limit: number): Promise<number>
  /** Texts that are in plain text or encrypted with one of these keys, at most `limit`. */
  listOutdated(formerKeyIds: readonly string[], limit: number): Promise<readonly OutdatedMemoryText[]>
  /** Stores texts again, unless they have changed since {@link MemoryStore.listOutdated}. */
  replaceOutdated(texts: readonly { readonly before: OutdatedMemoryText; readonly after: MemoryText }[]): Promise<void>
}
