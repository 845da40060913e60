import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { isEepError } from '../../../kernel/errors.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import { type Caller, isLimited } from '../../../model/caller.ts'
import { RECENT_MS } from '../../../model/recent-proof.ts'
import type { Account } from '../../../ports/storage/accounts.ts'
import type { SessionUse, StoredSession } from '../../../ports/storage/sessions.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { ProfileOfAccount } from '../../../ports/storage/teams.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockCaller } from '../../../runtime/storage/lock-caller.ts'
import { isReachedBy, listProfilesOfAccount } from '../../profiles/profiles/index.ts'
import { administrators } from './admin.ts'
import { endSessions } from './end-sessions.ts'
import { invalidToken, sessionNotFound, TOKEN_REFUSED } from './errors.ts'
import { createSessionTokens, type SessionTokens, sessionEnd } from './session-token.ts'
import { summarizeUserAgent } from './user-agent.ts'

const MAX_SHOWN_PROFILES = 100
/** `last_used_at` is written at most this often for each session. */
const USE_NOTED_EVERY_MS = 5 * 60_000

/** The client that signs in. */
export interface ClientDetails {
  /** Its `User-Agent` header, which is shown, summarized, in the list of sessions. */
  readonly userAgent?: string | undefined
  /** Whether it is a browser, which gets a cookie and no bearer token. Default: false. */
  readonly cookieOnly?: boolean | undefined
}

/** An account as its owner sees it. */
export interface AccountDescription {
  readonly account: Account
  /** Profiles in which it has a role: those it owns, then those it is a member of, each oldest first. */
  readonly profiles: readonly ProfileOfAccount[]
  /**
   * The acting profile of requests that name none: the person of the account, else the first it owns. For an API key of one
   * profile, that profile.
   */
  readonly activeProfileId: number | null
  /** Undefined for API keys. */
  readonly isAdmin?: boolean | undefined
}

/** A new session. */
export interface Session extends SessionTokens, AccountDescription {}

/** A session as its owner sees it. */
export type ListedSession = StoredSession & { readonly isCurrent: boolean }

export interface SessionDeps extends GuardedStorage {
  readonly clock: Clock
  readonly keyring: Keyring
  readonly publicUrl: string
  readonly adminEmails: readonly string[]
  /** Called when the last use of a session could not be stored. */
  readonly onError: (error: unknown) => void
}

/** Begins sessions, authenticates their tokens, and ends them. */
export function createSessions({ read, write, clock, keyring, publicUrl, adminEmails, onError }: SessionDeps) {
  const tokens = createSessionTokens({ keyring, clock, publicUrl })
  const administers = administrators(adminEmails)
  const touching = new Map<string, Promise<unknown>>()

  /**
   * An address in `auth.adminEmails` grants administrator rights only to sessions that started when the account owned it.
   */
  const isAdmin = (account: Account, { emailOwned }: StoredSession) =>
    account.isAdmin || (emailOwned && administers(account))

  /** The fields of an account that a caller may see. */
  async function describe(
    account: Account,
    caller: Pick<Caller, 'scopes' | 'isAdmin' | 'profileId' | 'app'>,
  ): Promise<AccountDescription> {
    const { items } = await listProfilesOfAccount(read, account.id, { limit: MAX_SHOWN_PROFILES })
    const only = caller.profileId
    const profiles = items.filter(
      ({ profile }) => (only === undefined || profile.id === only) && isReachedBy({ ...caller, account }, profile),
    )
    const owned = profiles.filter(({ role }) => role === 'owner')
    const person = owned.find(({ profile }) => profile.type === 'person' && profile.username === account.username)
    const active = person ?? owned[0] ?? profiles.find(({ profile }) => profile.id === only)
    const description = { account, profiles, activeProfileId: active?.profile.id ?? null }
    return isLimited(caller) ? description : { ...description, isAdmin: caller.isAdmin }
  }

  /** Stores the use of a session in the background, at most once per interval. The request does not wait for it. */
  function noteUse({ id, lastUsedAt }: StoredSession): void {
    const at = clock()
    const unlessAfter = new Date(at.getTime() - USE_NOTED_EVERY_MS)
    if (lastUsedAt > unlessAfter || touching.has(id)) return
    const touch = write((tx) => tx.sessions.touch(id, at, { unlessAfter }))
      .catch(onError)
      .finally(() => touching.delete(id))
    touching.set(id, touch)
  }

  async function authenticate(token: string, carrier: SessionUse = 'bearer'): Promise<Caller> {
    const { sessionId, accountId, tokenVersion, use } = await tokens.read(token)
    if (use === 'cookie' && carrier !== 'cookie') throw invalidToken(TOKEN_REFUSED)
    const found = await read.sessions.getWithAccount(sessionId)
    if (found?.account.id !== accountId || !found.session.uses.includes(use)) throw invalidToken(TOKEN_REFUSED)
    const { account, session } = found
    if (account.tokenVersion !== tokenVersion || account.bannedAt || account.deletionScheduledAt) {
      throw invalidToken(TOKEN_REFUSED)
    }
    noteUse(session)
    return {
      account,
      via: carrier,
      scopes: 'all',
      isAdmin: isAdmin(account, session),
      sessionId,
      sessionUse: use,
      provedAt: session.provedAt,
      sessionExpiresAt: session.expiresAt,
    }
  }

  return {
    describe,

    /** Stores a session of a locked account, in the transaction that signs it in. */
    async begin(
      tx: Stores,
      account: Account,
      { userAgent, cookieOnly = false }: ClientDetails,
    ): Promise<StoredSession> {
      const createdAt = clock()
      const session: StoredSession = {
        id: randomUUID(),
        accountId: account.id,
        createdAt,
        expiresAt: sessionEnd(createdAt),
        lastUsedAt: createdAt,
        provedAt: createdAt,
        userAgent: summarizeUserAgent(userAgent),
        emailOwned: account.emailOwned,
        uses: cookieOnly ? ['cookie'] : ['cookie', 'bearer'],
      }
      await tx.sessions.insert(session)
      return session
    },

    /** The tokens of a session that was just stored, and its account. */
    async issue(account: Account, session: StoredSession): Promise<Session> {
      const [issued, description] = await Promise.all([
        tokens.issue(session, account.tokenVersion),
        describe(account, { scopes: 'all', isAdmin: isAdmin(account, session) }),
      ])
      return { ...issued, ...description }
    },

    authenticate,

    /**
     * Stores that a caller has proved, in the session, to own the account. `consume` uses the proof up. Returns until when it counts as
     * recent.
     *
     * @throws `unauthenticated` when the session has ended; `invalid_token` when the caller has none
     */
    async prove(caller: Caller, consume?: (tx: Stores) => Promise<unknown>): Promise<Date> {
      const at = clock()
      await write(async (tx) => {
        await lockCaller(tx, caller)
        await consume?.(tx)
        if (caller.sessionId === undefined || !(await tx.sessions.touch(caller.sessionId, at, { proof: true }))) {
          throw invalidToken(TOKEN_REFUSED)
        }
      })
      return new Date(at.getTime() + RECENT_MS)
    },

    async list({ account, sessionId }: Caller, page: PageRequest): Promise<Page<ListedSession>> {
      const { items, ...rest } = await read.sessions.listOfAccount(account.id, clock(), page)
      return { ...rest, items: items.map((session) => ({ ...session, isCurrent: session.id === sessionId })) }
    },

    async logOut(cookie: string): Promise<void> {
      const caller = await authenticate(cookie, 'cookie').catch((error: unknown) => {
        if (isEepError(error) && error.status < 500) return undefined
        throw error
      })
      if (caller?.sessionId === undefined) return
      const which = { id: caller.sessionId, use: caller.sessionUse }
      await write((tx, emit) => endSessions(tx, emit, caller.account.id, 'signed_out', which))
    },

    async end(id: string, { account }: Caller): Promise<void> {
      const ended = await write((tx, emit) => endSessions(tx, emit, account.id, 'ended_by_owner', { id }))
      if (ended === 0) throw sessionNotFound()
    },

    endOthers: ({ account, sessionId }: Caller): Promise<number> =>
      write((tx, emit) => endSessions(tx, emit, account.id, 'ended_by_owner', { except: sessionId })),

    /** Waits until pending session uses are stored. */
    async close(): Promise<void> {
      await Promise.all(touching.values())
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>
