import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { foldAddress } from '../../../kernel/email-address.ts'
import { isEepError } from '../../../kernel/errors.ts'
import type { Account } from '../../../model/account.ts'
import type { Caller } from '../../../model/caller.ts'
import { isProvedRecently, recentSignInRequired } from '../../../model/recent-proof.ts'
import type { EepHooks } from '../../../ports/hooks.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Outbox } from '../../../runtime/email/outbox.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockCaller } from '../../../runtime/storage/lock-caller.ts'
import { usernameTaken } from '../../profiles/profiles/index.ts'
import { confirmEmail, emailTaken, freeUsername, insertAccount } from '../accounts/index.ts'
import { providerLinkedEmail } from './emails.ts'
import { identityLinked } from './events.ts'
import { failed } from './failure-reason.ts'
import { providerLabel } from './provider-label.ts'
import type { KnownUser } from './provider-user.ts'

const ATTEMPTS = 4
const TAKEN: ReadonlySet<string> = new Set([emailTaken.code, usernameTaken.code])

const RECENT_SIGN_IN =
  'Sign in again: a provider with another email address can only be linked within ten minutes of the sign-in'

/** Thrown to roll back when a concurrent request created or linked the account of the same user. */
const overtaken = new Error('a concurrent request created the account of this user')

const sameEmail = (left: string, right: string) => foldAddress(left) === foldAddress(right)

export interface AccountsOfUsersDeps extends GuardedStorage<'identities'> {
  readonly clock: Clock
  readonly hooks: EepHooks
  readonly outbox: Pick<Outbox, 'post'>
}

/** The caller who links a provider, and when the sign-in at the provider started. */
interface Linker {
  readonly caller: Caller
  readonly startedAt: Date
}

/** An account, and whether this sign-in linked the provider to it. */
interface FoundAccount {
  readonly account: Account
  readonly isLinked: boolean
}

/** A sign-in: the user of a provider, and the caller who was signed in when it started. */
export interface Arrival {
  readonly provider: string
  readonly user: KnownUser
  readonly linker: Linker | null
  /** The language of emails to a new account; null for the language of the host. */
  readonly language: string | null
  /** Whether the profile of a new account stays private until its owner publishes it. */
  readonly isReader: boolean
}

/** The account of a user of a provider. Email addresses count only if the provider verified them and the account owns them. */
export function createAccountsOfUsers({ read, write, clock, hooks, outbox }: AccountsOfUsersDeps) {
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
    linker: Arrival['linker'],
  ): Promise<string | undefined> {
    const holder = await tx.accounts.get({ email })
    const linkingId = linker?.caller.account.id
    const isAnothers = holder && (linkingId === undefined ? !holder.emailOwned : holder.id !== linkingId)
    if (isAnothers) throw failed('email_linked_other')
    return linkingId ?? holder?.id
  }

  /** Locks the account of a caller whose session did not end while the user was at the provider. */
  async function lockLinker(tx: Stores<'identities'>, { caller }: Linker): Promise<Account> {
    try {
      return await lockCaller(tx, caller)
    } catch (error) {
      throw isEepError(error) && error.status === 401 ? failed('invalid_state', { cause: error }) : error
    }
  }

  /** A stolen session must not get a way to sign in that outlives it. */
  function requireRecentSignIn({ caller, startedAt }: Linker): void {
    if (!isProvedRecently(caller, startedAt)) throw recentSignInRequired({ message: RECENT_SIGN_IN })
  }

  /** The account of a user, linked if necessary. Undefined when one must be created. */
  const findAccount = (arrival: Arrival): Promise<FoundAccount | undefined> =>
    write(async (tx, emit) => {
      const { provider, user, linker } = arrival
      const known = await tx.identities.getAccount(provider, user.subject)
      if (known && linker && known.id !== linker.caller.account.id) throw failed('email_linked_other')
      if (known) return { account: known, isLinked: false }

      if (user.email === null) throw failed('invalid_email')
      const id = await accountByEmail(tx, user.email, linker)
      if (id === undefined) return undefined
      const account = linker ? await lockLinker(tx, linker) : await tx.accounts.lock(id)
      // Its email address may have changed before the lock was acquired.
      if (!account || (await accountByEmail(tx, user.email, linker)) !== id) throw overtaken
      // If the owner of the email address proves it later, no one else may still have access.
      if (!account.emailOwned && !sameEmail(account.email, user.email)) throw failed('invalid_email')
      // The address that the provider verified proves the owner of the account without the session.
      if (linker && !sameEmail(account.email, user.email)) requireRecentSignIn(linker)
      const identities = await tx.identities.listOfAccount(id)
      const linked = identities.find((identity) => identity.provider === provider)
      if (linked?.subject === user.subject) throw overtaken
      if (linked) throw failed(`${provider}_mismatch`)
      if (!(await tx.identities.insert(identityOf(arrival, id)))) throw overtaken
      emit(identityLinked, { accountId: id, provider }, { accountId: id })
      // The provider verified the address of the account, and the session is the account's own.
      const isProven = !account.emailOwned && sameEmail(account.email, user.email)
      return { account: (isProven && (await confirmEmail(tx, emit, account))) || account, isLinked: true }
    })

  async function makeAccount(arrival: Arrival, email: string): Promise<Account> {
    const { provider, user, language, isReader } = arrival
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
        { publicAfterVerification: false, isReader },
      )
      const account = await confirmEmail(tx, emit, made)
      if (!account || !(await tx.identities.insert(identityOf(arrival, id)))) throw overtaken
      emit(identityLinked, { accountId: id, provider }, { accountId: id })
      return account
    })
  }

  function reportLink({ email, username, language }: Account, provider: string): void {
    outbox.post(providerLinkedEmail, () => ({
      to: email,
      username,
      language,
      data: { provider: providerLabel(provider) },
    }))
  }

  async function attempt(arrival: Arrival): Promise<Account> {
    const found = await findAccount(arrival)
    if (!found) return makeAccount(arrival, arrival.user.email ?? '')
    if (found.isLinked) reportLink(found.account, arrival.provider)
    return found.account
  }

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
