import type { Clock } from '../../kernel/clock.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import type { Readers } from '../../ports/storage.ts'
import type { ProfileOfAccount } from '../teams/index.ts'
import { administrators } from './admin.ts'
import type { Caller } from './caller.ts'
import { invalidToken, TOKEN_REFUSED } from './errors.ts'
import { createSessionTokens, type SessionToken } from './session-token.ts'
import type { Account } from './store.ts'

const MAX_SHOWN_PROFILES = 100

/** An account as its owner sees it. */
export interface AccountDescription {
  readonly account: Account
  /** Where it has a role: first what it owns, then where it is a member, each oldest first. */
  readonly profiles: readonly ProfileOfAccount[]
  /**
   * The profile that acts when a request names none: the person of the account, else the first it owns; for an API key of
   * one profile that one.
   */
  readonly activeProfileId: number | null
  /** Undefined for API keys, which are never told. */
  readonly isAdmin?: boolean | undefined
}

/** A session that has just begun. */
export interface Session extends SessionToken, AccountDescription {}

export interface SessionDeps {
  readonly read: Readers
  readonly clock: Clock
  readonly keyring: Keyring
  readonly publicUrl: string
  readonly adminEmails: readonly string[]
}

/** Begins sessions and recognises them again. */
export function createSessions({ read, clock, keyring, publicUrl, adminEmails }: SessionDeps) {
  const tokens = createSessionTokens({ keyring, clock, publicUrl })
  const isAdmin = administrators(adminEmails)

  /** What a caller may know of an account. */
  async function describe(
    account: Account,
    caller: Pick<Caller, 'via' | 'isAdmin' | 'profileId'>,
  ): Promise<AccountDescription> {
    const { items } = await read.members.listProfiles(account.id, { limit: MAX_SHOWN_PROFILES })
    const only = caller.profileId
    const profiles = only === undefined ? items : items.filter(({ profile }) => profile.id === only)
    const owned = profiles.filter(({ role }) => role === 'owner')
    const person = owned.find(({ profile }) => profile.type === 'person' && profile.username === account.username)
    const active = person ?? owned[0] ?? profiles.find(({ profile }) => profile.id === only)
    const description = { account, profiles, activeProfileId: active?.profile.id ?? null }
    return caller.via === 'key' ? description : { ...description, isAdmin: caller.isAdmin }
  }

  return {
    describe,

    /** Signs an account in. */
    async start(account: Account): Promise<Session> {
      const [token, description] = await Promise.all([
        tokens.issue(account),
        describe(account, { via: 'bearer', isAdmin: isAdmin(account) }),
      ])
      return { ...token, ...description }
    },

    /**
     * Recognises the account of a session token, with one read of the storage.
     *
     * @throws `invalid_token` also when the account is banned, leaves, or has ended its sessions
     */
    async authenticate(token: string): Promise<Caller> {
      const { accountId, tokenVersion } = await tokens.read(token)
      const account = await read.accounts.get(accountId)
      if (!account || account.tokenVersion !== tokenVersion || account.bannedAt || account.deletionScheduledAt) {
        throw invalidToken(TOKEN_REFUSED)
      }
      return { account, via: 'bearer', scopes: 'all', isAdmin: isAdmin(account) }
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>
