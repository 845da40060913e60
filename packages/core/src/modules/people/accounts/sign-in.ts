import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { namedLanguage } from '../../../model/languages.ts'
import type { EepHooks } from '../../../ports/hooks.ts'
import type { Account } from '../../../ports/storage/accounts.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { isReservedUsername, usernameReserved, usernameTaken } from '../../profiles/profiles/index.ts'
import type { AccountMailer } from './account-mailer.ts'
import { isOver, recover } from './deletion.ts'
import { accountBanned, CREDENTIALS_NEEDED, emailTaken, invalidCredentials } from './errors.ts'
import { sessionStarted } from './events.ts'
import type { LoginThrottle } from './login-throttle.ts'
import { insertAccount } from './new-account.ts'
import { requireStrongPassword } from './password.ts'
import type { PasswordHashing } from './password-hash.ts'
import { isWrongCode, type SecondFactorService } from './second-factor.ts'
import type { ClientDetails, Session, Sessions } from './sessions.ts'
import type { Verification } from './verification.ts'

export interface SignInDeps extends GuardedStorage {
  readonly clock: Clock
  readonly hooks: EepHooks
  readonly passwords: PasswordHashing
  readonly sessions: Sessions
  readonly verification: Pick<Verification, 'newToken'>
  readonly accountMailer: AccountMailer
  readonly loginThrottle: LoginThrottle
  readonly secondFactor: Pick<SecondFactorService, 'require' | 'take'>
  /** Whether profiles are private until the email address of their owner is verified. */
  readonly publicAfterVerification: boolean
  /** The languages that the service offers. */
  readonly languages: readonly string[]
}

/** Consumes the proof of a sign-in in its transaction, which locked the account. Throws when the proof is not valid. */
export type ConsumeProof = (tx: Stores) => Promise<void>

interface SignInDetails extends ClientDetails {
  readonly consumeProof?: ConsumeProof | undefined
  readonly strongerHash?: string | undefined
}

export interface Registration extends ClientDetails {
  readonly email: string
  readonly password: string
  /** The account and its person profile. */
  readonly username: string
  readonly fullName: string | null
  /** Its `Accept-Language` header, which determines the language of its emails. */
  readonly acceptLanguage?: string | undefined
  /** Whether the profile stays private until its owner publishes it. Default: false */
  readonly isReader?: boolean | undefined
}

export interface Credentials extends ClientDetails {
  readonly email: string
  readonly password: string
  /** The address of the client. Wrong passwords are only counted if it is given. */
  readonly from?: string | undefined
}

/** The code of a sign-in with two-factor authentication. */
export interface SecondStep extends ClientDetails {
  /** The token of `second_factor_required`. */
  readonly token: string
  readonly code: string
}

const UNKNOWN_ACCOUNT_ID = '00000000-0000-0000-0000-000000000000'

/** Registration and sign-in. */
export function createSignIn(deps: SignInDeps) {
  const { read, write, clock, hooks, passwords, sessions, verification, accountMailer, loginThrottle } = deps
  const { publicAfterVerification, languages, secondFactor } = deps

  /** Fails before a password is hashed for conflicts that the transaction would also find. */
  async function refuseTakenNames({ email, username }: Registration): Promise<void> {
    if (isReservedUsername(username)) throw usernameReserved()
    if (await read.accounts.get({ email })) throw emailTaken()
    if (await read.accounts.get({ username })) throw usernameTaken()
    if (await read.profiles.get({ type: 'person', username })) throw usernameTaken()
  }

  /** Stores what a sign-in changes: a stronger hash, and a scheduled deletion that is cancelled. */
  const signIn = async (known: Account, details: SignInDetails): Promise<Session> => {
    const { strongerHash, consumeProof } = details
    const { account, session } = await write(async (tx, emit) => {
      const account = await tx.accounts.lock(known.id)
      // The password may have been changed, or the account taken over, since the credentials were checked.
      if (account?.tokenVersion !== known.tokenVersion || isOver(account, clock())) {
        throw invalidCredentials(CREDENTIALS_NEEDED)
      }
      if (account.bannedAt) throw accountBanned()
      await consumeProof?.(tx)
      const recovers = account.deletionScheduledAt !== null
      if (recovers) await recover(tx, emit, account)
      const origin = { accountId: account.id }
      emit(sessionStarted, origin, origin)
      const session = await sessions.begin(tx, account, details)
      if (!recovers && strongerHash === undefined) return { account, session }
      const saved = await tx.accounts.save(account.id, {
        ...(strongerHash === undefined ? {} : { passwordHash: strongerHash }),
        ...(recovers ? { deletionScheduledAt: null } : {}),
      })
      return { account: saved ?? account, session }
    })
    return sessions.issue(account, session)
  }

  return {
    async register(registration: Registration): Promise<Session> {
      const { email, password, username, fullName, acceptLanguage, isReader } = registration
      const language = namedLanguage(acceptLanguage, languages) ?? null
      requireStrongPassword(password)
      await refuseTakenNames(registration)
      await hooks.beforeRegister?.({ email, username })
      const passwordHash = await passwords.hash(password)
      const at = clock()
      const id = randomUUID()
      const { secret, token } = verification.newToken({ id, email }, false)

      const { account, session } = await write(async (tx, emit) => {
        const account = await insertAccount(
          tx,
          emit,
          { id, email, username, fullName, language, passwordHash, createdAt: at },
          { publicAfterVerification, isReader },
        )
        await tx.tokens.put(token)
        return { account, session: await sessions.begin(tx, account, registration) }
      })
      accountMailer.verification(account, secret)
      return sessions.issue(account, session)
    },

    async login({ email, password, from, ...client }: Credentials): Promise<Session> {
      loginThrottle.assertAllowed(email, from)
      const account = await read.accounts.get({ email })
      // Unknown addresses cost the same queries as known ones.
      const passwordHash = await read.accounts.getPasswordHash(account?.id ?? UNKNOWN_ACCOUNT_ID)
      const matches = await passwords.verify(passwordHash, password)
      if (!account || !passwordHash || !matches || isOver(account, clock())) {
        await loginThrottle.recordFailure(email, from)
        throw invalidCredentials(CREDENTIALS_NEEDED)
      }
      // Checked again: concurrent guesses may have reached the limit while the password was verified.
      loginThrottle.assertAllowed(email, from)
      if (account.bannedAt) throw accountBanned()
      const outdated = passwords.isOutdated(passwordHash)
      const strongerHash = outdated ? await passwords.hash(password) : undefined
      await secondFactor.require(account, strongerHash)
      return signIn(account, { ...client, strongerHash })
    },

    async loginWithCode({ token, code, ...client }: SecondStep): Promise<Session> {
      const { account, consumeProof, putBack, noteFailure, signedIn } = await secondFactor.take(token, code)
      try {
        const session = await signIn(account, { ...client, consumeProof })
        signedIn()
        return session
      } catch (error) {
        // After a failure of the storage the same code can be sent again.
        if (!isEepError(error) || error.status >= 500 || isWrongCode(error)) await putBack()
        if (isWrongCode(error)) await noteFailure()
        throw error
      }
    },

    /**
     * Signs in the browser of an account whose owner was authenticated elsewhere. Cancels a scheduled deletion. `consumeProof` runs in the
     * transaction that begins the session.
     *
     * @throws `account_banned`, `invalid_credentials` when the account changed meanwhile or is gone
     */
    admit: (account: Account, client: ClientDetails = {}, consumeProof?: ConsumeProof): Promise<Session> =>
      signIn(account, { ...client, cookieOnly: true, consumeProof }),
  }
}
