import type { Caller } from '../../../model/caller.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { CREDENTIALS_NEEDED, wrongPassword } from './errors.ts'
import type { LoginThrottle } from './login-throttle.ts'
import type { PasswordHashing } from './password-hash.ts'

export interface PasswordCheckDeps extends Pick<GuardedStorage, 'read'> {
  readonly passwords: Pick<PasswordHashing, 'verify'>
  readonly loginThrottle: LoginThrottle
}

/**
 * Checks the current password of a caller. `from` is the address of the client; wrong passwords are only counted if it is given,
 * together with those of sign-ins.
 *
 * @throws `wrong_password`, also for an account without a password; `too_many_wrong_passwords`
 */
export type RequirePassword = (
  caller: { readonly account: Pick<Caller['account'], 'id' | 'email'> },
  password: string,
  from?: string | undefined,
) => Promise<void>

/** Creates the check of the current password, so that a stolen session cannot be used to guess it. */
export const createPasswordCheck = ({ read, passwords, loginThrottle }: PasswordCheckDeps): RequirePassword =>
  async function requirePassword({ account: { id, email } }, password, from) {
    loginThrottle.assertAllowed(email, from)
    const known = await read.accounts.getPasswordHash(id)
    const matches = await passwords.verify(known, password)
    if (!known || !matches) {
      await loginThrottle.recordFailure(email, from)
      throw wrongPassword(CREDENTIALS_NEEDED)
    }
    // Checked again: concurrent guesses may have reached the limit while the password was verified.
    loginThrottle.assertAllowed(email, from)
  }
