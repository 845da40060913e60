import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { validationFailed } from '../../../kernel/errors.ts'
import type { Account } from '../../../model/account.ts'
import type { Expiry } from '../../../model/expiry.ts'
import type { FrontendUrls } from '../../../model/frontend-links.ts'
import type { EepHooks } from '../../../ports/hooks.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { adminChanged } from '../../people/accounts/events.ts'
import {
  accountBanned,
  confirmEmail,
  deletionScheduled,
  freeUsername,
  insertAccount,
  newEmailToken,
  registerBody,
} from '../../people/accounts/index.ts'
import { emailNotVerified, isReservedUsername, usernameReserved } from '../../profiles/profiles/index.ts'
import { userNotFound } from './errors.ts'

export interface AppointmentDeps extends GuardedStorage<'audit'> {
  readonly clock: Clock
  readonly hooks: EepHooks
  readonly frontendUrls: Pick<FrontendUrls, 'resetPassword'>
  readonly expiry: Pick<Expiry, 'resetPasswordSeconds'>
  /** Whether accounts sign in at this service. False when the host signs in users. */
  readonly passwordSignIn: boolean
}

/** Whom the operator of the service appoints. */
export interface Appointee {
  readonly email: string
  /** The username of a new account. Default: derived from the address. */
  readonly username?: string | undefined
}

/** An account that the operator appointed. */
export interface Appointment {
  readonly account: Pick<Account, 'id' | 'email' | 'username'>
  /** `unchanged`: it was an administrator before. */
  readonly outcome: 'created' | 'promoted' | 'unchanged'
  /** A link that sets the first password, once, for accounts that have none; null for others. */
  readonly passwordLink: { readonly url: string; readonly expiresAt: Date } | null
}

const ADDRESS = registerBody.pick({ email: true })
const NAME = registerBody.pick({ username: true })

/** Appointments by the operator of the service, who needs no account. */
export function createAppointments(deps: AppointmentDeps) {
  const { read, write, clock, hooks, frontendUrls, expiry, passwordSignIn } = deps

  async function requireNew({ email, username: chosen }: Appointee) {
    if (!passwordSignIn) {
      throw userNotFound({
        message: 'Accounts are created when users of the host sign in; ask this user to sign in first',
      })
    }
    if (!ADDRESS.safeParse({ email }).success) throw validationFailed({ message: 'The email address is not valid' })
    if (chosen !== undefined && !NAME.safeParse({ username: chosen }).success) {
      throw validationFailed({ message: 'Usernames can contain only lowercase letters, digits and hyphens' })
    }
    if (chosen !== undefined && isReservedUsername(chosen)) throw usernameReserved()
    const username = chosen ?? (await freeUsername(read, { email, fullName: null }, clock()))
    await hooks.beforeRegister?.({ email, username })
    return { id: randomUUID(), email, username, fullName: null, passwordHash: null, createdAt: clock() }
  }

  /** The account of an address, locked. Throws for accounts that another person may have registered or that cannot sign in. */
  async function lockExisting(tx: Stores, { id }: Pick<Account, 'id'>): Promise<Account> {
    const account = await tx.accounts.lock(id)
    if (!account) throw userNotFound()
    if (account.bannedAt) throw accountBanned()
    if (account.deletionScheduledAt) throw deletionScheduled()
    if (!account.emailOwned) {
      throw emailNotVerified({
        message:
          'The email address of this account is not verified by its owner; open the link of a verification email in a session of the account, or reset the password, before making the account an administrator',
      })
    }
    return account
  }

  async function promote(tx: Stores<'audit'>, emit: Emit, { id, isAdmin }: Account): Promise<void> {
    if (isAdmin) return
    await tx.accounts.save(id, { isAdmin: true })
    await tx.audit.append({
      actorAccountId: null,
      action: 'account.appointed',
      target: `accounts/${id}`,
      before: { is_admin: false },
      after: { is_admin: true },
      at: clock(),
    })
    emit(adminChanged, { accountId: id, isAdmin: true }, { accountId: id })
  }

  return {
    async appoint(appointee: Appointee): Promise<Appointment> {
      const known = await read.accounts.get({ email: appointee.email })
      const next = known ? undefined : await requireNew(appointee)
      const at = clock()
      return write(async (tx, emit) => {
        let account: Account
        if (known) account = await lockExisting(tx, known)
        else if (next) {
          const inserted = await insertAccount(tx, emit, next, { publicAfterVerification: false })
          account = (await confirmEmail(tx, emit, inserted)) ?? inserted
        } else throw userNotFound()
        await promote(tx, emit, account)

        const hasPassword = (await tx.accounts.getPasswordHash(account.id)) !== null
        const { id, email, username } = account
        const outcome = next ? 'created' : account.isAdmin ? 'unchanged' : 'promoted'
        if (hasPassword || !passwordSignIn) return { account: { id, email, username }, outcome, passwordLink: null }
        const seconds = expiry.resetPasswordSeconds
        const { secret, token } = newEmailToken({ purpose: 'reset_password', account, at, seconds })
        await tx.tokens.put(token, { replace: true })
        const url = new URL(frontendUrls.resetPassword)
        url.searchParams.set('token', secret)
        return {
          account: { id, email, username },
          outcome,
          passwordLink: { url: url.href, expiresAt: token.expiresAt },
        }
      })
    },
  }
}
