import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { SessionUse } from '../../../ports/storage/sessions.ts'
import type { DeletionProof } from './deletion.ts'
import type { ListedSession, Session } from './sessions.ts'
import type { Credentials, Registration, SecondStep } from './sign-in.ts'

/** The methods of `app.eep.accounts`. */
export interface AccountsApi {
  /**
   * Returns the caller of a session token, with one query. `carrier` is where it came, by default `bearer`: the token of a cookie is accepted in the
   * cookie alone, a bearer token also there.
   *
   * @throws `invalid_token` also when the session has ended, or the account is banned or its deletion is scheduled
   */
  authenticate(token: string, carrier?: SessionUse): Promise<Caller>
  /**
   * Creates an account with its person profile, in one transaction, signs it in and emails a link that verifies its address.
   * Of concurrent calls with the same username or email address one succeeds.
   *
   * @throws `weak_password`, `email_taken`, `username_taken`, `username_reserved`, and what the hook `beforeRegister` throws
   */
  register(registration: Registration): Promise<Session>
  /**
   * Signs in with email address and password, and cancels a scheduled deletion. Takes the same time whether the address or
   * the password is wrong.
   *
   * @throws `invalid_credentials`, `account_banned`, `too_many_wrong_passwords`, `second_factor_required`
   */
  login(credentials: Credentials): Promise<Session>
  /**
   * Completes a sign-in with a password by a code of the app or a recovery code. A wrong code leaves the token valid.
   *
   * @throws `invalid_or_expired_token`, `wrong_second_factor`, `too_many_wrong_codes`, `account_banned`,
   * `invalid_credentials`
   */
  loginWithCode(secondStep: SecondStep): Promise<Session>
  /**
   * Returns the sessions of the caller that have not ended, newest first.
   *
   * @throws `invalid_cursor`
   */
  listSessions(caller: Caller, page: PageRequest): Promise<Page<ListedSession>>
  /**
   * Invalidates a session cookie on every instance. The bearer token of the same sign-in stays valid. An expired or ended
   * cookie is ignored.
   */
  logOut(cookie: string): Promise<void>
  /**
   * Ends one session of the caller, on every instance.
   *
   * @throws `session_not_found`
   */
  endSession(id: string, caller: Caller): Promise<void>
  /** Ends every session of the caller but the current one. Returns how many. */
  endOtherSessions(caller: Caller): Promise<number>
  /**
   * Schedules the removal of the caller's account, hides it with its profiles and ends its sessions. Returns the time
   * of the removal. Signing in before that time cancels it. Without a proof, the last one of the person must be at most ten minutes old. `from` is the address of the client; wrong passwords are only
   * counted if it is given.
   *
   * @throws `recent_sign_in_required`, `wrong_password`, `too_many_wrong_passwords`, `wrong_code`, `code_expired`, `no_code_requested`
   */
  scheduleDeletion(caller: Caller, proof: DeletionProof, from?: string): Promise<Date>
}

/** The methods of `app.eep.hostUsers`. */
export interface HostUsersApi {
  /**
   * Cancels the scheduled deletion of the account of a user of the host. Call it when a user signs in again; only the
   * host sees sign-ins. Returns false when no deletion was scheduled.
   */
  recover(externalId: string): Promise<boolean>
}
