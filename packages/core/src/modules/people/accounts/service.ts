import type { EndAddedStep, TakeOverStep } from '../../../framework/module/context.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import { once } from '../../../kernel/once.ts'
import type { Seal } from '../../../kernel/seal.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Expiry } from '../../../model/expiry.ts'
import type { FrontendUrls } from '../../../model/frontend-links.ts'
import type { EepHooks } from '../../../ports/hooks.ts'
import type { Mailer } from '../../../ports/mailer.ts'
import type { RateLimitStore } from '../../../ports/rate-limit-store.ts'
import type { EmailRate } from '../../../runtime/email/email-rate.ts'
import type { Outbox } from '../../../runtime/email/outbox.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { createAccountMailer } from './account-mailer.ts'
import type { AppsOfSessions } from './apps-of-sessions.ts'
import { createDeletion } from './deletion.ts'
import type { EmailChangeService } from './email-change.ts'
import { invalidToken, TOKEN_REFUSED } from './errors.ts'
import { createLoginThrottle, type LoginThrottleLimit } from './login-throttle.ts'
import { createPasswordChange } from './password-change.ts'
import { createPasswordCheck } from './password-check.ts'
import { createPasswordHashing, type HashingOptions } from './password-hash.ts'
import { createSecondFactor } from './second-factor.ts'
import { createSessions } from './sessions.ts'
import { createSignIn } from './sign-in.ts'
import type { TakeOverAccount } from './take-over.ts'
import { createVerification } from './verification.ts'

export interface AccountServiceOptions extends GuardedStorage {
  readonly clock: Clock
  readonly keyring: Keyring
  readonly publicUrl: string
  readonly hooks: EepHooks
  readonly hashing: HashingOptions
  readonly adminEmails: readonly string[]
  readonly expiry: Expiry
  readonly outbox: Pick<Outbox, 'post'>
  readonly mailer: Pick<Mailer, 'forget'> | undefined
  readonly frontendUrls: FrontendUrls
  readonly emailRate: EmailRate
  readonly loginThrottleLimit: LoginThrottleLimit
  readonly seal: Seal
  readonly counters: Pick<RateLimitStore, 'hit'>
  /** The name of the service. */
  readonly name: string
  readonly takeOverAccount: TakeOverAccount
  /** Ends what was added to an account lately, in every group of the storage. */
  readonly endAdded: readonly EndAddedStep[]
  readonly passwordResets: readonly TakeOverStep[]
  /** Whether profiles are private until the email address of their owner is verified. */
  readonly publicAfterVerification: boolean
  /** The languages that the service offers. */
  readonly languages: readonly string[]
  /** Whether accounts sign in at this service. False when the host signs in users. */
  readonly passwordSignIn: boolean
  /** Called with errors of background work. */
  readonly onError: (error: unknown) => void
}

/** What a person proves to own an account with: its password, or a code of its second factor. */
export interface PersonProof {
  readonly password?: string | undefined
  readonly code?: string | undefined
  /** The address of the client. Wrong passwords are only counted if it is given. */
  readonly from?: string | undefined
}

/** Accounts: registration, sign-in, sessions, passwords and deletion. */
export function createAccountService(options: AccountServiceOptions) {
  const { hashing, outbox, frontendUrls, expiry } = options
  const accountMailer = createAccountMailer({ outbox, frontendUrls, expiry, read: options.read })
  const passwords = createPasswordHashing(hashing)
  const sessions = createSessions(options)
  const loginThrottle = createLoginThrottle(options.loginThrottleLimit)
  const requirePassword = createPasswordCheck({ ...options, passwords, loginThrottle })
  const secondFactor = createSecondFactor({ ...options, requirePassword, accountMailer })
  const verification = createVerification({ ...options, accountMailer, requirePassword })
  const signIn = createSignIn({
    ...options,
    passwords,
    sessions,
    verification,
    accountMailer,
    loginThrottle,
    secondFactor,
  })
  const passwordChange = createPasswordChange({ ...options, passwords, sessions, accountMailer, requirePassword })
  // Rarely needed, so loaded with the first use.
  const changeUndo = once(async () => (await import('./change-undo.ts')).createChangeUndo(options))
  const changing = once(async () => {
    const { createEmailChange } = await import('./email-change.ts')
    return createEmailChange({ ...options, accountMailer, requirePassword, changeUndo: await changeUndo() })
  })
  const emailChange: EmailChangeService = {
    request: async (caller, change) => (await changing()).request(caller, change),
    confirm: async (caller, secret) => (await changing()).confirm(caller, secret),
    pending: async (caller) => (await changing()).pending(caller),
    undo: async (secret) => (await changing()).undo(secret),
  }
  const deletion = createDeletion({ ...options, accountMailer, requirePassword })
  let apps: AppsOfSessions | undefined

  return {
    describe: sessions.describe,
    authenticate: sessions.authenticate,
    register: signIn.register,
    login: signIn.login,
    loginWithCode: signIn.loginWithCode,
    /** Undefined when the storage has no second factors. */
    secondFactor: options.read.secondFactors && secondFactor,
    admit: signIn.admit,
    /** The account of a caller, with the fields that the caller may see. */
    me: (caller: Caller) => sessions.describe(caller.account, caller),
    /** Sets the language of the emails of the caller; null for the language of the host. Returns the changed account. */
    async setLanguage(caller: Caller, language: string | null) {
      const account = await options.write((tx) => tx.accounts.save(caller.account.id, { language }))
      if (!account) throw invalidToken(TOKEN_REFUSED)
      return sessions.describe(account, caller)
    },
    listSessions: sessions.list,
    logOut: sessions.logOut,
    endSession: sessions.end,
    endOtherSessions: sessions.endOthers,
    /** Lets forms that end sessions disconnect apps too. Called by the module that connects them, when it is created. */
    announceApps(announced: AppsOfSessions): void {
      apps = announced
    },
    /** The apps that accounts connected in sessions. Undefined while they cannot connect any. */
    appsOfSessions: (): AppsOfSessions | undefined => apps,
    /** Finishes background work; call it when the service stops. */
    close: sessions.close,
    forgotPassword: passwordChange.forgot,
    resetPassword: passwordChange.reset,
    changePassword: passwordChange.change,
    requirePassword,
    /**
     * Proves with a passkey, in the session of a caller, that the person owns the account; `consume` uses the passkey.
     *
     * @throws `unauthenticated` when the session has ended
     */
    prove: sessions.prove,
    /**
     * Proves in the session of a caller that the person owns the account, with its password or a code of its second factor. Returns until
     * when that counts as recent.
     *
     * @throws `wrong_password`, `too_many_wrong_passwords`, `second_factor_not_found`, `wrong_second_factor`, `too_many_wrong_codes`
     */
    async proveBy(caller: Caller, { password, code, from }: PersonProof): Promise<Date> {
      if (code !== undefined) return secondFactor.prove(caller, code, (consume) => sessions.prove(caller, consume))
      await requirePassword(caller, password ?? '', from)
      return sessions.prove(caller)
    },
    /** The proofs that a caller can give here. Neither for accounts that only use passkeys or providers. */
    async proofsOf(caller: Caller): Promise<{ readonly password: boolean; readonly code: boolean }> {
      const [password, { isEnabled: code }] = await Promise.all([
        secondFactor.hasPassword(caller),
        secondFactor.state(caller),
      ])
      return { password, code }
    },
    emailChange,
    /** Loads what undoes a change of an account by an emailed link. */
    changeUndo,
    verify: verification.verify,
    verifyByPassword: verification.verifyByPassword,
    takeOver: verification.takeOver,
    isOwnVerification: verification.isOwnToken,
    resendVerification: verification.resend,
    sendDeleteCode: deletion.sendCode,
    scheduleDeletion: deletion.schedule,
  }
}

/** The service of accounts. */
export type AccountService = ReturnType<typeof createAccountService>
