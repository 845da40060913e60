import { randomUUID } from 'node:crypto'
import type { EepHooks } from '../../hooks.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import { blankProfile, isReservedUsername, type Profile, usernameReserved, usernameTaken } from '../profiles/index.ts'
import type { Caller } from './caller.ts'
import {
  accountBanned,
  CREDENTIALS_NEEDED,
  emailTaken,
  invalidCredentials,
  invalidToken,
  TOKEN_REFUSED,
} from './errors.ts'
import { requireStrongPassword } from './password.ts'
import { createPasswordHashing, type HashingOptions } from './password-hash.ts'
import { createSessionTokens, type SessionToken } from './session-token.ts'
import type { Account, AccountChanges, AccountReader } from './store.ts'

const MAX_SHOWN_PROFILES = 100

export interface AccountServiceOptions extends GuardedStorage {
  readonly clock: Clock
  readonly keyring: Keyring
  readonly publicUrl: string
  readonly hooks: EepHooks
  readonly hashing: HashingOptions
}

export interface Registration {
  readonly email: string
  readonly password: string
  /** Of the account and of its own person profile. */
  readonly username: string
  readonly fullName: string | null
}

export interface Credentials {
  readonly email: string
  readonly password: string
}

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

/** Accounts: registering, signing in, and recognising who comes back. */
export function createAccountService({
  read,
  write,
  clock,
  keyring,
  publicUrl,
  hooks,
  hashing,
}: AccountServiceOptions) {
  const passwords = createPasswordHashing(hashing)
  const tokens = createSessionTokens({ keyring, clock, publicUrl })

  /** What a caller may know of an account. */
  async function describe(
    account: Account,
    { via, isAdmin }: Pick<Caller, 'via' | 'isAdmin'>,
  ): Promise<AccountDescription> {
    const { items: profiles } = await read.profiles.listOfAccount(account.id, { limit: MAX_SHOWN_PROFILES })
    return via === 'key' ? { account, profiles } : { account, profiles, isAdmin }
  }

  async function startSession(account: Account): Promise<Session> {
    const [token, description] = await Promise.all([
      tokens.issue(account),
      describe(account, { via: 'bearer', isAdmin: account.isAdmin }),
    ])
    return { ...token, ...description }
  }

  /** Tells early, before a password is hashed, what the transaction would find anyway. */
  async function refuseTakenNames({ email, username }: Registration): Promise<void> {
    if (isReservedUsername(username)) throw usernameReserved()
    if (await read.accounts.getByEmail(email)) throw emailTaken()
    if (await read.accounts.getByUsername(username)) throw usernameTaken()
    if (await read.profiles.getByUsername('person', username)) throw usernameTaken()
  }

  /** Stores what signing in changes: a stronger hash, and a deletion that its owner no longer wants. */
  const noteSignIn = (account: Account, strongerHash: string | undefined): Promise<Account> =>
    write(async (tx, emit) => {
      const now = await tx.accounts.get(account.id)
      // A password that was changed meanwhile is not the one that was checked.
      if (now?.passwordHash !== account.passwordHash || isOver(now, clock()))
        throw invalidCredentials(CREDENTIALS_NEEDED)
      const origin = { accountId: now.id }
      const recovers = now.deletionScheduledAt !== null
      const changes: AccountChanges = {
        ...(strongerHash === undefined ? {} : { passwordHash: strongerHash }),
        ...(recovers ? { deletionScheduledAt: null } : {}),
      }
      const saved = Object.keys(changes).length > 0 ? await tx.accounts.save(now.id, changes) : now
      if (!saved) throw invalidCredentials(CREDENTIALS_NEEDED)
      if (recovers) emit('accounts.deletion_cancelled', origin, origin)
      emit('accounts.session_started', origin, origin)
      return saved
    })

  return {
    describe,

    /**
     * Makes an account and its own person profile, both or neither, and signs it in. Of many that want the same name at
     * once one gets it.
     *
     * @throws `weak_password`, `email_taken`, `username_taken`, `username_reserved`, or what a host's hook throws
     */
    async register(registration: Registration): Promise<Session> {
      const { email, password, username, fullName } = registration
      requireStrongPassword(password)
      await refuseTakenNames(registration)
      await hooks.beforeRegister?.({ email, username })
      const passwordHash = await passwords.hash(password)
      const at = clock()
      const id = randomUUID()

      const account = await write(async (tx, emit) => {
        const made = await tx.accounts.insert({ id, email, username, fullName, passwordHash, createdAt: at })
        if (!made) throw await whatIsTaken(tx.accounts, email)
        const profile = await tx.profiles.insert(
          blankProfile({ ownerAccountId: id, type: 'person', username, fullName, at }),
        )
        if (!profile) throw usernameTaken()
        const origin = { accountId: id, profileId: profile.id }
        emit('accounts.account_registered', { accountId: id, username }, origin)
        emit('profiles.profile_created', { type: 'person', username }, origin)
        return made
      })
      return startSession(account)
    },

    /**
     * Signs in with mail address and password; cancels a scheduled deletion.
     *
     * @throws `invalid_credentials`, in the same time whether the address or the password is wrong; `account_banned`
     */
    async login({ email, password }: Credentials): Promise<Session> {
      const account = await read.accounts.getByEmail(email)
      const matches = await passwords.verify(account?.passwordHash, password)
      if (!account?.passwordHash || !matches || isOver(account, clock())) throw invalidCredentials(CREDENTIALS_NEEDED)
      if (account.bannedAt) throw accountBanned()
      const outdated = passwords.isOutdated(account.passwordHash)
      const strongerHash = outdated ? await passwords.hash(password) : undefined
      return startSession(await noteSignIn(account, strongerHash))
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
      return { account, via: 'bearer', scopes: 'all', isAdmin: account.isAdmin }
    },

    /** The account of a caller as they may see it. */
    me: (caller: Caller): Promise<AccountDescription> => describe(caller.account, caller),
  }
}

/** The service of accounts. */
export type AccountService = ReturnType<typeof createAccountService>

/** Whether the time to take a deletion back has passed; what is left of the account is then nobody's. */
const isOver = ({ deletionScheduledAt }: Account, now: Date): boolean =>
  deletionScheduledAt !== null && deletionScheduledAt <= now

const whatIsTaken = async (accounts: AccountReader, email: string) =>
  (await accounts.getByEmail(email)) ? emailTaken() : usernameTaken()
