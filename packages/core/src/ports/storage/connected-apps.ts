import type { Page, PageRequest } from '../../kernel/page.ts'
import type { Account } from '../../model/account.ts'
import type { SpendingLimits } from './app-spending.ts'
import type { ErasedAccount } from './erasure.ts'

/** How an app is known: by the document at its client id, by registration, or by the configuration of the service. */
export type AppKind = 'cimd' | 'registered' | 'configured'

/** An app, as the person saw it when they allowed it. Later changes of its document do not change it. */
export interface AppSnapshot {
  readonly kind: AppKind
  readonly clientId: string
  readonly name: string
  /** The host of the client id, in ASCII form; null when it has none. */
  readonly host: string | null
  /** Whether the service checked that the app controls its host. */
  readonly verified: boolean
  /** The host that the answer went to; null for the device grant and for schemes without a host. */
  readonly redirectHost: string | null
}

/** What a person allowed an app to do. */
export interface AppGrant {
  readonly app: AppSnapshot
  readonly accountId: string
  /** The session in which it was allowed. When it ends first, the grant makes no connection. Null for users of a host. */
  readonly sessionId: string | null
  readonly scopes: readonly string[]
  /** `one`: only the profile in `profileId`. `all`: all profiles of the account. */
  readonly reach: 'all' | 'one'
  /** Null for all profiles, and for one that was deleted: a connection with it is not live. */
  readonly profileId: number | null
  /** Whether the app may have scopes that spend. */
  readonly maySpend: boolean
  /** Whose spending it counts as: of a configured app, of a host, or of all unverified apps. */
  readonly spender: string
  /** The limits that the person chose; null for those of the service. */
  readonly spending: SpendingLimits | null
  /** The resources (RFC 8707) that its tokens may be used for. At least one. */
  readonly resources: readonly string[]
  /** Seconds without use after which the connection ends. */
  readonly idleSeconds: number
  /** When the connection ends, used or not. */
  readonly expiresAt: Date
}

/** Why a connection ended. `expired` also covers connections that were not used for too long. */
export type AppEndReason =
  | 'user'
  | 'app'
  | 'session_ended'
  | 'profile_gone'
  | 'replaced'
  | 'code_replayed'
  | 'refresh_token_reused'
  | 'blocked'
  | 'account'
  | 'expired'

/** What an account granted an app, until it ends. */
export interface AppConnection extends AppGrant {
  /** UUID. */
  readonly id: string
  /** The seed of its refresh tokens, which are made from it with a secret of the service. Never changes; not for output. */
  readonly seed: string
  /** The generation of the refresh token that is valid; 1 for the first. */
  readonly generation: number
  /** When that generation began. */
  readonly rotatedAt: Date
  readonly createdAt: Date
  /** Changes at most once a minute. */
  readonly lastUsedAt: Date
  /** When it ends unless it is used before: `idleSeconds` after its last use, never later than `expiresAt`. */
  readonly idleEndsAt: Date
  /** Null while it has not ended. A connection that expired has none until `deleteExpired` has ended it. */
  readonly endedAt: Date | null
  readonly endReason: AppEndReason | null
}

/** An access token to add. */
export interface NewAppToken {
  /** SHA-256 of the token, hex. */
  readonly hash: string
  /** Narrower scopes than those of the connection; null for those of the connection, also after they change. */
  readonly scopes: readonly string[] | null
  /** Fewer resources than those of the connection; null for those of the connection. */
  readonly resources: readonly string[] | null
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** An access token. */
export interface AppToken extends NewAppToken {
  readonly connectionId: string
}

/** A code (RFC 6749 4.1.2), which the app redeems for its first tokens. */
export interface AppCode {
  /** SHA-256 of the code, hex. */
  readonly hash: string
  readonly redirectUri: string
  /** The challenge of PKCE, of method `S256`. */
  readonly challenge: string
  readonly grant: AppGrant
  readonly expiresAt: Date
  /** Null until it is redeemed. */
  readonly redeemedAt: Date | null
}

/** A decision on the consent page. */
export interface AppDecision {
  /** The id of the sealed request that the page contained. */
  readonly requestId: string
  readonly accountId: string
  readonly decidedAt: Date
  /** Null when the person denied it. */
  readonly code: Omit<AppCode, 'redeemedAt'> | null
}

/** A connection to make, with its first access token. */
export interface NewAppConnection {
  /** UUID. */
  readonly id: string
  readonly seed: string
  readonly token: NewAppToken
  /** The most live connections of the account, and of the account with apps of the client id. The least recently used end. */
  readonly limits: { readonly account: number; readonly app: number }
}

/** A connection that was made. */
export interface MadeConnection {
  readonly connection: AppConnection
  /** The connections that ended because of the limits, with the reason `replaced`. */
  readonly ended: readonly AppConnection[]
}

/** The result of redeeming a code. */
export type AppRedemption =
  | ({ readonly outcome: 'redeemed' } & MadeConnection)
  /** The code was redeemed before. `ended` is the connection that it made, if it ended now. */
  | { readonly outcome: 'replayed'; readonly ended: AppConnection | undefined }
  /** The code is unknown or expired, its session ended, or `check` refused it. Nothing changed. */
  | { readonly outcome: 'unknown' }

/** The result of using a refresh token. */
export type AppRotation =
  | {
      /**
       * `rotated`: the token was current, and its successor is. `repeated`: the token was replaced within the last minute, by the
       * same successor. Answer with the refresh token of `connection.generation` and the new access token.
       */
      readonly outcome: 'rotated' | 'repeated'
      readonly connection: AppConnection
      /** Whether the token was newer than the stored generation: the storage was restored from a backup. */
      readonly wasAhead: boolean
    }
  /** The token was replaced longer ago. `ended` is the connection, which ended now. */
  | { readonly outcome: 'reused'; readonly ended: AppConnection }
  /** The connection is unknown, ended or expired, or `check` refused it. Nothing changed. */
  | { readonly outcome: 'unknown' }

/** A request of a device (RFC 8628). */
export interface AppDeviceRequest {
  /** SHA-256 of the device code, hex. */
  readonly deviceHash: string
  /** SHA-256 of the user code, hex, without its hyphen. */
  readonly userCodeHash: string
  readonly app: AppSnapshot
  /** The scopes that it asked for, and the resources. */
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  /** A keyed hash of the address that it came from. */
  readonly addressHash: string
  /** Seconds between polls. Grows by 5 with every poll that is too early. */
  readonly intervalSeconds: number
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** The result of a poll (RFC 8628 3.5). */
export type AppPoll =
  | ({ readonly outcome: 'redeemed' } & MadeConnection)
  /** `unknown`: no such code, redeemed before, its session ended, or `check` refused it. */
  | { readonly outcome: 'pending' | 'slow_down' | 'denied' | 'expired' | 'unknown' }

/** Which connections of an account end with sessions: those made in one session, or in all sessions except one. */
export type AppSessionChoice = { readonly id: string } | { readonly except: string | undefined }

/**
 * Connected apps, for reading. `now` is the time of the service. A connection is live at that time when it has neither ended nor
 * expired and, with the reach of one profile, its profile exists.
 */
export interface ConnectedAppReader {
  /**
   * An access token that has not expired, of a live connection, with the connection and its account, in one query. To tolerate
   * differences between clocks pass an earlier `now`, or store a later `expiresAt`.
   */
  getByAccessHash(
    hash: string,
    now: Date,
  ): Promise<{ readonly token: AppToken; readonly connection: AppConnection; readonly account: Account } | undefined>
  /** A connection, also one that ended. Given an account, only of that account. */
  get(id: string, accountId?: string): Promise<AppConnection | undefined>
  /** The connections of an account, newest first: the live ones, or also those that ended and are not deleted yet. */
  listOfAccount(
    accountId: string,
    options: { readonly now: Date; readonly withEnded?: boolean | undefined },
    page: PageRequest,
  ): Promise<Page<AppConnection>>
  /** A code by its hash, also one that expired or was redeemed. Undefined for an unknown one. */
  getCode(hash: string): Promise<AppCode | undefined>
  /** The decision on a sealed request; undefined when there is none, or when it is of another account. */
  getDecision(requestId: string, accountId: string): Promise<'approved' | 'denied' | undefined>
  /** The request of a device with this user code that is neither decided nor expired. */
  getDeviceRequest(userCodeHash: string, now: Date): Promise<AppDeviceRequest | undefined>
  /** The request of a device by the hash of its device code, also one that was decided or expired. */
  getDevice(deviceHash: string): Promise<AppDeviceRequest | undefined>
}

/** Connected apps. */
export interface ConnectedAppStore extends ConnectedAppReader {
  /**
   * Stores the decision on a sealed request, and its code. Of concurrent decisions on one request the first counts: `isFirst` states
   * whether it is this one, and `decision` what the first was. `undefined` when the request was decided by another account.
   */
  decide(
    decision: AppDecision,
  ): Promise<{ readonly isFirst: boolean; readonly decision: 'approved' | 'denied' } | undefined>
  /**
   * Redeems a code: makes the connection and its first access token. `check` returns whether the request may redeem this code; it
   * must be pure. It is also asked about codes that were redeemed: only a request that it allows ends the connection of a
   * replayed code. Of concurrent calls one redeems. A redeemed code is known for 10 minutes after it expired. Locks the account.
   */
  redeem(
    hash: string,
    request: {
      readonly now: Date
      readonly check: (code: AppCode, account: Account) => boolean
      readonly connection: NewAppConnection
    },
  ): Promise<AppRedemption>
  /**
   * Uses the refresh token of a generation, whose MAC the caller verified, and adds an access token. A token of the generation before
   * is `repeated` for 60 seconds after it was replaced. `check` returns whether the request may use the connection, and must be pure.
   */
  rotate(
    id: string,
    request: {
      readonly generation: number
      readonly now: Date
      readonly check: (connection: AppConnection, account: Account) => boolean
      readonly token: NewAppToken
    },
  ): Promise<AppRotation>
  /**
   * A live connection with its account, in one query. It cannot end, change scopes or be deleted until the transaction ends; other uses
   * and refreshes of it do not wait.
   */
  hold(id: string, now: Date): Promise<{ readonly connection: AppConnection; readonly account: Account } | undefined>
  /** Locks a live connection of an account, so that it can be compared and updated. Waits for transactions that hold it. */
  lock(accountId: string, id: string, now: Date): Promise<AppConnection | undefined>
  /** Changes a live connection of an account. `undefined` when there is none. Waits for transactions that hold it. */
  update(
    accountId: string,
    id: string,
    changes: {
      readonly now: Date
      readonly scopes?: readonly string[] | undefined
      /** Null for all profiles. */
      readonly profileId?: number | null | undefined
      readonly spending?: SpendingLimits | null | undefined
    },
  ): Promise<AppConnection | undefined>
  /**
   * Ends a live connection of an account, and deletes its tokens. Of concurrent calls one gets it. Waits for transactions that hold it,
   * as all methods that end connections do.
   */
  end(accountId: string, id: string, reason: AppEndReason, now: Date): Promise<AppConnection | undefined>
  /**
   * Ends the live connections of an account, and deletes codes and grants of devices that were not redeemed. Given `since`, only
   * connections that were made at that time or later end. Returns those that it ended. Locks the account.
   */
  endAll(
    accountId: string,
    reason: AppEndReason,
    now: Date,
    options?: { readonly since?: Date | undefined },
  ): Promise<readonly AppConnection[]>
  /**
   * Ends the live connections of an account that were made in some sessions. Returns them. Delete the sessions first in the transaction:
   * a concurrent redemption holds the session, so its connection ends, too.
   */
  endOfSessions(accountId: string, which: AppSessionChoice, now: Date): Promise<readonly AppConnection[]>
  /** Ends the live connections that are bound to a profile; given an account, only its own. Returns them. */
  endOfProfile(
    profileId: number,
    options: { readonly now: Date; readonly accountId?: string | undefined },
  ): Promise<readonly AppConnection[]>
  /** Deletes an access token; its connection stays. Returns whether there was one. */
  deleteToken(hash: string): Promise<boolean>
  /** Moves `lastUsedAt` of a live connection to `at`, unless it is less than a minute before. Returns whether it did. */
  touch(id: string, at: Date): Promise<boolean>
  /**
   * Stores the request of a device. `taken` when one with its user code has not expired: choose another. `full` when as many as a limit
   * are open: of its address, or of all. Concurrent calls do not exceed the limits.
   */
  openDevice(
    request: AppDeviceRequest,
    limits: { readonly address: number; readonly all: number },
  ): Promise<'opened' | 'taken' | 'full'>
  /** Decides the request of a device; null denies it. Of concurrent calls one returns true. False when it is decided or expired. */
  decideDevice(userCodeHash: string, grant: AppGrant | null, now: Date): Promise<boolean>
  /**
   * Answers a poll of a device, and makes the connection of one that was allowed. Of concurrent polls one redeems it. `check` returns
   * whether the request is of the app, and must be pure.
   */
  pollDevice(
    deviceHash: string,
    request: {
      readonly now: Date
      readonly check: (request: AppDeviceRequest) => boolean
      readonly connection: NewAppConnection
    },
  ): Promise<AppPoll>
  /**
   * Deletes what is no longer needed, at most `limit` rows of each kind: expired access tokens, codes 10 minutes after they expired,
   * requests of devices 10 minutes after they expired, connections 30 days after they ended or expired, and spending 13 months after
   * its month. Returns the total number; call it again until it returns fewer than `limit`.
   */
  deleteExpired(now: Date, limit: number): Promise<number>
  /** Deletes connections, codes, tokens, spending and receipts of apps of an account. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
