import type { Clock } from '../../kernel/clock.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import type { Readers } from '../../ports/storage.ts'
import type { Profile } from '../profiles/index.ts'
import { administrators } from './admin.ts'
import type { Caller } from './caller.ts'
import { invalidToken, TOKEN_REFUSED } from './errors.ts'
import { createSessionTokens, type SessionToken } from './session-token.ts'
import type { Account } from './store.ts'

const MAX_SHOWN_PROFILES = 100

/** An account as its owner sees it. */
export interface AccountDescription {
  readonly account: Account
  /** What it owns, oldest first. */
  readonly profiles: readonly Profile[]
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
    const { items } = await read.profiles.listOfAccount(account.id, { limit: MAX_SHOWN_PROFILES })
    const profiles = caller.profileId === undefined ? items : items.filter(({ id }) => id === caller.profileId)
    return caller.via === 'key' ? { account, profiles } : { account, profiles, isAdmin: caller.isAdmin }
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
