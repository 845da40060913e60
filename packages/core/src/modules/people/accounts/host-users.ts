import { randomUUID } from 'node:crypto'
import type { TakeOverStep } from '../../../framework/module/context.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { cleanedName, isBlank } from '../../../kernel/text-fields.ts'
import type { Caller } from '../../../model/caller.ts'
import type { EepHooks } from '../../../ports/hooks.ts'
import type { HostUser } from '../../../ports/host-auth.ts'
import type { EepLogger } from '../../../ports/logger.ts'
import type { Mailer } from '../../../ports/mailer.ts'
import type { Account } from '../../../ports/storage/accounts.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { usernameTaken } from '../../profiles/profiles/index.ts'
import { administrators } from './admin.ts'
import { confirmEmail } from './confirm-email.ts'
import { isOver, recover } from './deletion.ts'
import { endSessions } from './end-sessions.ts'
import { accountBanned, deletionScheduled, emailTaken } from './errors.ts'
import { emailChanged } from './events.ts'
import { freeUsername, insertAccount } from './new-account.ts'
import type { TakeOverAccount } from './take-over.ts'

/** The name of the sign-in provider under which users of the host are stored. */
const PROVIDER = 'host'
const ATTEMPTS = 4

/** Thrown to roll back when a concurrent request created or linked the account of the same user. */
const overtaken = new Error('a concurrent request created the account of this user')

export interface HostUserDeps extends GuardedStorage {
  readonly clock: Clock
  readonly hooks: EepHooks
  readonly mailer: Mailer | undefined
  readonly adminEmails: readonly string[]
  readonly logger: EepLogger | undefined
  readonly takeOverAccount: TakeOverAccount
  /** What other modules end when a password is reset. */
  readonly passwordResets: readonly TakeOverStep[]
  /** Whether profiles are private until the email address of their owner is verified. */
  readonly publicAfterVerification: boolean
}

/** The users of a host: each has one account, created on the first request. */
export function createHostUsers(deps: HostUserDeps) {
  const { read, write, clock, hooks, mailer, adminEmails, logger, takeOverAccount, publicAfterVerification } = deps
  const { passwordResets } = deps
  const administers = administrators(adminEmails)

  const identityOf = ({ externalId: subject, email }: HostUser, accountId: string) => ({
    provider: PROVIDER,
    subject,
    accountId,
    email,
    createdAt: clock(),
  })

  async function makeAccount(user: HostUser): Promise<Account> {
    const { email, emailVerified } = user
    const name = cleanedName(user.fullName ?? '')
    const fullName = isBlank(name) ? null : name
    const username = await freeUsername(read, { email, fullName }, clock())
    await hooks.beforeRegister?.({ email, username })
    return write(async (tx, emit) => {
      const id = randomUUID()
      const account = await insertAccount(
        tx,
        emit,
        { id, email, username, fullName, passwordHash: null, createdAt: clock() },
        { publicAfterVerification: publicAfterVerification && !emailVerified },
      )
      if (!(await requireGroup(tx, 'identities').identities.insert(identityOf(user, id)))) throw overtaken
      return (emailVerified && (await confirmEmail(tx, emit, account))) || account
    })
  }

  /** Links a user to the account with the same email address, if the host has verified the address. */
  const linkAccount = (user: HostUser, { id }: Account): Promise<Account> =>
    write(async (tx, emit) => {
      const account = await tx.accounts.lock(id)
      if (!account) throw overtaken
      const identities = await requireGroup(tx, 'identities').identities.listOfAccount(id)
      if (!user.emailVerified || identities.some(({ provider }) => provider === PROVIDER)) throw emailTaken()
      const owned = account.emailOwned ? account : await takeOverAccount(tx, emit, account)
      if (!owned || !(await requireGroup(tx, 'identities').identities.insert(identityOf(user, id)))) throw overtaken
      return owned
    })

  /** The account of a user who signs in for the first time. Concurrent first requests create one account. */
  async function enroll(user: HostUser): Promise<Account> {
    for (let attempt = 1; ; attempt++) {
      try {
        const holder = await read.accounts.get({ email: user.email })
        return await (holder ? linkAccount(user, holder) : makeAccount(user))
      } catch (error) {
        const mayPass = error === overtaken || (isEepError(error) && TAKEN.has(error.code))
        if (!mayPass) throw error
        const made = await requireGroup(read, 'identities').identities.getAccount(PROVIDER, user.externalId)
        if (made) return made
        if (attempt === ATTEMPTS) throw error
      }
    }
  }

  /** Updates the email address of the account to that of the host, unless another account here has it. */
  async function follow(account: Account, { email, emailVerified: vouched }: HostUser): Promise<Account> {
    const emailVerified = vouched || (email === account.email && account.emailVerified)
    const isSettled = vouched ? account.emailOwned : emailVerified === account.emailVerified
    if (email === account.email && isSettled) return account
    const holder = await read.accounts.get({ email })
    if (holder && holder.id !== account.id) return account
    try {
      // A purge erases only the current address, so erase the former one now, if it was the account's.
      if (account.emailOwned && email !== account.email) await mailer?.forget?.(account.email)
    } catch (error) {
      logger?.warn({ err: error }, 'email to a former address could not be deleted; will retry')
      return account
    }
    const saved = await write(async (tx, emit) => {
      const locked = await tx.accounts.lock(account.id)
      if (!locked) return undefined
      if (!vouched) emit(emailChanged, { accountId: locked.id }, { accountId: locked.id })
      // It may show profiles, which other writes lock before sessions.
      const changed = vouched
        ? await confirmEmail(tx, emit, locked, { email })
        : await tx.accounts.save(locked.id, { email, emailVerified, emailOwned: false })
      if (email !== locked.email) {
        // Earlier sessions belong to the former address, and so do the apps that were connected in them.
        await endSessions(tx, emit, locked.id, 'email_changed')
        for (const end of passwordResets) await end(tx, emit, locked.id, clock())
      }
      return changed
    })
    return saved ?? account
  }

  return {
    /**
     * The caller for a user of the host. The account is created on the first request; later requests take one query.
     *
     * @throws `account_banned`, `deletion_scheduled`, `email_taken` when another account has the email address
     */
    async authenticate(user: HostUser): Promise<Caller> {
      const account =
        (await requireGroup(read, 'identities').identities.getAccount(PROVIDER, user.externalId)) ??
        (await enroll(user))
      if (account.bannedAt) throw accountBanned()
      if (account.deletionScheduledAt) throw deletionScheduled()
      const followed = await follow(account, user)
      return {
        account: followed,
        via: 'host',
        scopes: 'all',
        isAdmin: user.isAdmin ?? administers(followed),
        provedAt: user.provedAt,
      }
    },

    async recover(externalId: string): Promise<boolean> {
      const known = await requireGroup(read, 'identities').identities.getAccount(PROVIDER, externalId)
      if (!known) return false
      return write(async (tx, emit) => {
        const account = await tx.accounts.lock(known.id)
        if (!account?.deletionScheduledAt || isOver(account, clock())) return false
        await tx.accounts.save(account.id, { deletionScheduledAt: null })
        await recover(tx, emit, account)
        return true
      })
    },
  }
}

const TAKEN: ReadonlySet<string> = new Set([emailTaken.code, usernameTaken.code])
