import type { TakeOverStep } from '../../../framework/module/context.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { HOUR_MS } from '../../../kernel/durations.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Expiry } from '../../../model/expiry.ts'
import type { Account } from '../../../ports/storage/accounts.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { EmailRate } from '../../../runtime/email/email-rate.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { AccountMailer } from './account-mailer.ts'
import { newEmailToken, tokenHash, wasSentTo } from './email-token.ts'
import { endSessions } from './end-sessions.ts'
import { CREDENTIALS_NEEDED, invalidOrExpiredToken, wrongPassword } from './errors.ts'
import { passwordChanged } from './events.ts'
import { requireStrongPassword } from './password.ts'
import type { RequirePassword } from './password-check.ts'
import type { PasswordHashing } from './password-hash.ts'
import type { ClientDetails, Session, Sessions } from './sessions.ts'
import type { TakeOverAccount } from './take-over.ts'

export interface PasswordChangeDeps extends GuardedStorage {
  readonly clock: Clock
  readonly passwords: PasswordHashing
  readonly sessions: Sessions
  readonly accountMailer: AccountMailer
  readonly expiry: Expiry
  readonly emailRate: EmailRate
  readonly takeOverAccount: TakeOverAccount
  readonly passwordResets: readonly TakeOverStep[]
  readonly requirePassword: RequirePassword
}

/** A new password for a caller who knows the current one. */
export interface PasswordChange extends ClientDetails {
  readonly currentPassword: string
  readonly newPassword: string
  /** The address of the client. Wrong passwords are only counted if it is given. */
  readonly from?: string | undefined
}

/** A new password for the owner of an emailed token. */
export interface PasswordReset {
  readonly token: string
  readonly password: string
  /** Whether all passkeys and linked sign-in providers of the account are deleted too. Default: false */
  readonly removeOtherSignIns?: boolean | undefined
}

/** Changes passwords: by the current one, or by email. */
export function createPasswordChange(deps: PasswordChangeDeps) {
  const { read, write, clock, passwords, sessions, accountMailer, expiry, emailRate, takeOverAccount } = deps
  const { requirePassword, passwordResets } = deps

  async function prepareReset(email: string) {
    const account = await read.accounts.get({ email })
    if (!account) return undefined
    const { count } = await emailRate.store.hit(`reset-mail:${account.id}`, HOUR_MS)
    if (count > emailRate.perHour) return undefined
    const seconds = expiry.resetPasswordSeconds
    const { secret, token } = newEmailToken({ purpose: 'reset_password', account, at: clock(), seconds })
    await write((tx) => tx.tokens.put(token, { replace: true }))
    return { account, secret }
  }

  /**
   * Sets the password of a locked account. Ends every session, and deletes pending tokens that could reset the password
   * or delete the account.
   */
  async function setPassword(tx: Stores, emit: Emit, { id, tokenVersion }: Account, passwordHash: string) {
    await tx.tokens.deleteOf('reset_password', id)
    await tx.tokens.deleteOf('delete_account', id)
    await endSessions(tx, emit, id, 'password_changed')
    return tx.accounts.save(id, { passwordHash, tokenVersion: tokenVersion + 1 })
  }

  return {
    /** Sends a link to the account of an address, if one exists; the result does not reveal whether it does. */
    forgot(email: string): void {
      accountMailer.reset(() => prepareReset(email))
    },

    /**
     * Sets the password of the account that a token was sent to, ends every session and disconnects its apps. An account that does not own
     * its address is taken over: see {@link TakeOverAccount}.
     *
     * @throws `weak_password`, which leaves the token valid; `invalid_or_expired_token`
     */
    async reset({ token: secret, password, removeOtherSignIns = false }: PasswordReset): Promise<void> {
      requireStrongPassword(password)
      const hash = tokenHash(secret)
      if (hash === undefined) throw invalidOrExpiredToken()
      const passwordHash = await passwords.hash(password)
      const saved = await write(async (tx, emit) => {
        const token = await tx.tokens.consume({ purpose: 'reset_password', hash })
        const account = token?.accountId ? await tx.accounts.lock(token.accountId) : undefined
        if (!token || !account || !wasSentTo(token, account)) throw invalidOrExpiredToken()
        const saved = account.emailOwned
          ? await setPassword(tx, emit, account, passwordHash)
          : await takeOverAccount(tx, emit, account, { passwordHash })
        for (const end of passwordResets) await end(tx, emit, account.id, clock())
        if (removeOtherSignIns) {
          await tx.passkeys?.deleteOfAccount(account.id)
          await tx.identities?.deleteOfAccount(account.id)
        }
        const origin = { accountId: account.id }
        emit(passwordChanged, origin, origin)
        return saved
      })
      if (saved) accountMailer.passwordChanged(saved)
    },

    /**
     * Replaces the password of a caller, ends every session and starts a new one.
     *
     * @throws `weak_password`, `wrong_password`, `too_many_wrong_passwords`
     */
    async change(caller: Caller, { currentPassword, newPassword, from, ...client }: PasswordChange): Promise<Session> {
      const { id, tokenVersion } = caller.account
      requireStrongPassword(newPassword)
      await requirePassword(caller, currentPassword, from)
      const passwordHash = await passwords.hash(newPassword)
      const changed = await write(async (tx, emit) => {
        const account = await tx.accounts.lock(id)
        // The password may have been changed since it was checked.
        if (account?.tokenVersion !== tokenVersion) throw wrongPassword(CREDENTIALS_NEEDED)
        const origin = { accountId: id }
        emit(passwordChanged, origin, origin)
        const saved = await setPassword(tx, emit, account, passwordHash)
        return saved && { account: saved, session: await sessions.begin(tx, saved, client) }
      })
      if (!changed) throw wrongPassword(CREDENTIALS_NEEDED)
      accountMailer.passwordChanged(changed.account)
      return sessions.issue(changed.account, changed.session)
    },
  }
}
