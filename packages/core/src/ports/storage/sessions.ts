import type { Page, PageRequest } from '../../kernel/page.ts'
import type { Account } from './accounts.ts'

/** A sign-in that has not ended. Its token carries the id; without the row the token is refused. */
export interface StoredSession {
  /** UUID. */
  readonly id: string
  readonly accountId: string
  readonly createdAt: Date
  readonly expiresAt: Date
  /** Updated at most every few minutes. */
  readonly lastUsedAt: Date
  /** A summary of the `User-Agent` header at sign-in. */
  readonly userAgent: string | null
  /** Whether the email address of the account was verified when the session began. */
  readonly emailVerified: boolean
}

/** Sessions, for reading. */
export interface SessionReader {
  /** A session with its account, in one query. Expired sessions are found until they are pruned. */
  getWithAccount(id: string): Promise<{ readonly session: StoredSession; readonly account: Account } | undefined>
  /** The sessions of an account that end after `now`, newest first. */
  listOfAccount(accountId: string, now: Date, page: PageRequest): Promise<Page<StoredSession>>
}

/** Sessions. */
export interface SessionStore extends SessionReader {
  /** Adds a session. Lock the account first, so that a concurrent password change or takeover ends it or sees it. */
  insert(session: StoredSession): Promise<void>
  /** Moves `lastUsedAt` forward to `at`, unless it is later than `unlessAfter` already. */
  touch(id: string, at: Date, unlessAfter: Date): Promise<void>
  /** Ends a session of an account. False when there is none: of concurrent callers one gets true. */
  delete(id: string, accountId: string): Promise<boolean>
  /** Ends the sessions of an account, except one to keep. Returns how many ended. */
  deleteOfAccount(accountId: string, except?: string | undefined): Promise<number>
  /** Removes at most `limit` sessions that ended before `now`. Returns how many. */
  deleteExpired(now: Date, limit: number): Promise<number>
}
