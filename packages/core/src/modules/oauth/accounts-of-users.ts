import { randomUUID } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { isEepError } from '../../kernel/errors.ts'
import type { Account } from '../../model/account.ts'
import type { EepHooks } from '../../ports/hooks.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import { confirmEmail, emailTaken, freeUsername, insertAccount } from '../accounts/index.ts'
import { usernameTaken } from '../profiles/index.ts'
import { identityLinked } from './events.ts'
import { failed } from './failure-reason.ts'
import type { KnownUser } from './provider-user.ts'

const ATTEMPTS = 4
const TAKEN: ReadonlySet<string> = new Set([emailTaken.code, usernameTaken.code])

/** Thrown to roll back when a concurrent request created or linked the account of the same user. */
const overtaken = new Error('a concurrent request created the account of this user')

const sameEmail = (left: string, right: string) => left.toLowerCase() === right.toLowerCase()

export interface AccountsOfUsersDeps extends GuardedStorage<'identities'> {
  readonly clock: Clock
  readonly hooks: EepHooks
}

/** A sign-in: the user of a provider, and the account that was signed in when it started. */
export interface Arrival {
  readonly provider: string
  readonly user: KnownUser
  readonly signedIn: Pick<Account, 'id' | 'tokenVersion'> | null
  /** The language of emails to a new account; null for the language of the host. */
  readonly language: string | null
}

/** The account of a user of a provider. Email addresses count only if both sides have verified them. */
export function createAccountsOfUsers({ read, write, clock, hooks }: AccountsOfUsersDeps) {
  const identityOf = ({ provider, user }: Arrival, accountId: string) => ({
    provider,
    subject: user.subject,
    accountId,
    email: user.email,
    createdAt: clock(),
  })

  /** The id of the account for a new user of a provider; undefined when there is none. */
  async function accountByEmail(
    tx: Stores<'identities'>,
    email: string,
    signedIn: Arrival['signedIn'],
  ): Promise<string | undefined> {
    const holder = await tx.accounts.get({ email })
    const isAnothers = holder && (signedIn === null ? !holder.emailVerified : holder.id !== signedIn.id)
    if (isAnothers) throw failed('email_linked_other')
    return signedIn?.id ?? holder?.id
  }

  /** The account of a user, linked if necessary. Undefined when one must be created. */
  const findAccount = (arrival: Arrival): Promise<Account | undefined> =>
    write(async (tx, emit) => {
      const { provider, user, signedIn } = arrival
      const known = await tx.identities.getAccount(provider, user.subject)
      if (known && signedIn !== null && known.id !== signedIn.id) throw failed('email_linked_other')
      if (known) return known

      if (user.email === null) throw failed('invalid_email')
      const id = await accountByEmail(tx, user.email, signedIn)
      if (id === undefined) return undefined
      const account = await tx.accounts.lock(id)
      // Its email address may have changed before the lock was acquired.
      if (!account || (await accountByEmail(tx, user.email, signedIn)) !== id) throw overtaken
      // The account was taken over, or got another password, while its former holder was at the provider.
      if (signedIn && account.tokenVersion !== signedIn.tokenVersion) throw failed('invalid_state')
      // If the owner of the email address verifies it later, no one else may still have access.
      if (!account.emailVerified && !sameEmail(account.email, user.email)) throw failed('invalid_email')
      const identities = await tx.identities.listOfAccount(id)
      const linked = identities.find((identity) => identity.provider === provider)
      if (linked?.subject === user.subject) throw overtaken
      if (linked) throw failed(`${provider}_mismatch`)
      if (!(await tx.identities.insert(identityOf(arrival, id)))) throw overtaken
      emit(identityLinked, { accountId: id, provider }, { accountId: id })
      // The provider verified the address of the account, and the session is the account's own.
      const isProven = !account.emailVerified && sameEmail(account.email, user.email)
      return (isProven && (await confirmEmail(tx, emit, account))) || account
    })

  async function makeAccount(arrival: Arrival, email: string): Promise<Account> {
    const { provider, user, language } = arrival
    const username = await freeUsername(read, user, clock())
    await hooks.beforeRegister?.({ email, username })
    return write(async (tx, emit) => {
      const id = randomUUID()
      const { fullName } = user
      const made = await insertAccount(
        tx,
        emit,
        { id, email, username, fullName, language, passwordHash: null, createdAt: clock() },
        // The provider verified the address.
        { publicAfterVerification: false },
      )
      const account = await confirmEmail(tx, emit, made)
      if (!account || !(await tx.identities.insert(identityOf(arrival, id)))) throw overtaken
      emit(identityLinked, { accountId: id, provider }, { accountId: id })
      return account
    })
  }

  const attempt = async (arrival: Arrival): Promise<Account> =>
    (await findAccount(arrival)) ?? (await makeAccount(arrival, arrival.user.email ?? ''))

  /**
   * Finds, links or creates the account of a user. Concurrent callbacks of one user get the same account.
   *
   * @throws SignInFailure with the reason, or what a host's hook throws
   */
  return async function accountOf(arrival: Arrival): Promise<Account> {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(arrival)
      } catch (error) {
        const mayPass = error === overtaken || (isEepError(error) && TAKEN.has(error.code))
        if (!mayPass || tries === ATTEMPTS) throw error
      }
    }
  }
}
