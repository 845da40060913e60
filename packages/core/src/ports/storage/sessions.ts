import type { Page, PageRequest } from '../../kernel/page.ts'
import type { Account } from './accounts.ts'

/** What authenticates requests of a session: the cookie of a browser, or a bearer token. */
export type SessionUse = 'cookie' | 'bearer'

/** A session. Its tokens contain the id, and are rejected when the session does not exist. */
export interface StoredSession {
  /** UUID. */
  readonly id: string
  readonly accountId: string
  readonly createdAt: Date
  readonly expiresAt: Date
  /** Updated at most every few minutes. */
  readonly lastUsedAt: Date
  /** When the person last proved to be the owner of the account: at sign-in, or later in the session. */
  readonly provedAt: Date
  /** A summary of the `User-Agent` header at sign-in. */
  readonly userAgent: string | null
  /** Whether the account owned its email address when the session began. */
  readonly emailOwned: boolean
  /** Its tokens that are valid: at least one. A sign-in gives browsers a cookie, and other clients a bearer token too. */
  readonly uses: readonly SessionUse[]
}

/** Selects sessions of an account: the one with an id, or only one token of it, or all except one. */
export type SessionChoice =
  | { readonly id: string; readonly use?: SessionUse | undefined }
  | { readonly except: string | undefined }

/** Sessions, for reading. */
export interface SessionReader {
  /** A session with its account, in one query. Expired sessions are found until they are pruned. */
  getWithAccount(id: string): Promise<{ readonly session: StoredSession; readonly account: Account } | undefined>
  /** The sessions of an account that end after `now`, newest first. */
  listOfAccount(accountId: string, now: Date, page: PageRequest): Promise<Page<StoredSession>>
}

/** Sessions. */
export interface SessionStore extends SessionReader {
  /** As for reading. With `hold` the session cannot be deleted until the transaction ends. */
  getWithAccount(
    id: string,
    options?: { readonly hold?: boolean | undefined },
  ): ReturnType<SessionReader['getWithAccount']>
  /** Adds a session. Lock the account first, so that a concurrent password change or takeover cannot miss it. */
  insert(session: StoredSession): Promise<void>
  /**
   * Moves `lastUsedAt` forward to `at`, unless it is later than `unlessAfter` already; with `proof` moves `provedAt` forward instead.
   * Returns whether the session was changed: false when it has ended, also by a deletion that it waits for.
   */
  touch(id: string, at: Date, which: { readonly unlessAfter: Date } | { readonly proof: true }): Promise<boolean>
  /**
   * Deletes sessions of an account: all, one, or all but one. Returns how many. Of concurrent calls only one counts each
   * session. With `use` only that token of the session ends, and the session with its last one; 0 when the token had ended. It
   * waits for transactions that hold the session.
   */
  delete(accountId: string, which?: SessionChoice): Promise<number>
}
