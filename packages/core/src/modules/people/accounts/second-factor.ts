import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { DAY_MS } from '../../../kernel/durations.ts'
import { isEepError } from '../../../kernel/errors.ts'
import type { Seal } from '../../../kernel/seal.ts'
import type { Caller } from '../../../model/caller.ts'
import { requireRecentProof } from '../../../model/recent-proof.ts'
import type { RateLimitStore } from '../../../ports/rate-limit-store.ts'
import type { Account } from '../../../ports/storage/accounts.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Token } from '../../../ports/storage/tokens.ts'
import { msUntilReset } from '../../../runtime/rate-limits/ms-until-reset.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockCaller } from '../../../runtime/storage/lock-caller.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import type { AccountMailer } from './account-mailer.ts'
import { endSessions } from './end-sessions.ts'
import {
  CREDENTIALS_NEEDED,
  invalidOrExpiredToken,
  secondFactorExists,
  secondFactorNotFound,
  secondFactorRequired,
  tooManyWrongCodes,
  wrongSecondFactor,
} from './errors.ts'
import type { RequirePassword } from './password-check.ts'
import { base32, newTotpKey, otpauthUrl, stepOfCode } from './totp.ts'

const TOKEN_SECONDS = 300
const ATTEMPTS = 10
const ATTEMPTS_MS = 15 * 60_000
/** Wrong codes in a day after which the owner is notified. */
const REPORTED_FAILURES = 5
const RECOVERY_CODES = 10
const RECOVERY_BYTES = 10

export interface SecondFactorDeps extends GuardedStorage {
  readonly clock: Clock
  readonly seal: Seal
  readonly requirePassword: RequirePassword
  readonly accountMailer: Pick<
    AccountMailer,
    'secondFactorEnabled' | 'secondFactorDisabled' | 'recoveryCodeUsed' | 'secondFactorFailed'
  >
  readonly counters: Pick<RateLimitStore, 'hit'>
  /** The name of the service, in apps. */
  readonly name: string
}

/** The two-factor authentication of an account, as its owner sees it. */
export interface SecondFactorState {
  readonly isEnabled: boolean
  readonly recoveryCodesLeft: number
}

/** A key for an app, and the address that adds it. */
export interface TotpKey {
  readonly key: string
  readonly url: string
}

/** What confirms a key: its first code, and the password of an account that has one. */
export interface Confirmation {
  readonly code: string
  readonly password?: string | undefined
  /** The address of the client. Wrong passwords are only counted if it is given. */
  readonly from?: string | undefined
}

/** The token of a sign-in is not one of an email. */
const signInExpired = () =>
  invalidOrExpiredToken({ message: 'The token is invalid, used or expired; sign in with the password again' })

/** Whether an error means that a code is wrong. */
export const isWrongCode = (error: unknown): boolean => isEepError(error) && error.code === wrongSecondFactor.code

/** A code without the spaces and hyphens that people type. */
const normalized = (code: string) => code.replaceAll(/[\s-]/g, '').toUpperCase()
const recoveryHash = (accountId: string, code: string) => sha256(`${accountId}:${normalized(code)}`)

/** A recovery code of 80 bits: `ABCD-EFGH-IJKL-MNOP`. */
const newRecoveryCode = () => (base32(randomBytes(RECOVERY_BYTES)).match(/.{4}/g) ?? []).join('-')

/** Two-factor authentication of sign-ins with a password: a code of an app (TOTP), or a recovery code. */
export function createSecondFactor(deps: SecondFactorDeps) {
  const { read, write, clock, seal, requirePassword, accountMailer, counters, name } = deps
  const store = (tx: Stores) => requireGroup(tx, 'secondFactors').secondFactors

  /** Counts an attempt, so that codes cannot be guessed. */
  async function countAttempt(accountId: string): Promise<void> {
    const hit = await counters.hit(`second-factor:${accountId}`, ATTEMPTS_MS)
    if (hit.count <= ATTEMPTS) return
    throw tooManyWrongCodes({ retryAfterMs: msUntilReset(hit) })
  }

  /** Counts a wrong code. The owner is notified once a day: a person who tries codes knows the password, or has a session. */
  async function noteFailure(account: Pick<Account, 'id' | 'email' | 'username' | 'language'>): Promise<void> {
    const { count } = await counters.hit(`second-factor-failed:${account.id}`, DAY_MS)
    if (count === REPORTED_FAILURES) accountMailer.secondFactorFailed(account)
  }

  /**
   * Uses a code in a transaction. Returns how many recovery codes are left when it was one of them.
   *
   * @throws `wrong_second_factor` when it is wrong or was used before
   */
  async function useCode(tx: Stores, accountId: string, code: string): Promise<number | undefined> {
    const factor = await store(tx).get(accountId)
    if (!factor?.isConfirmed) throw signInExpired()
    const key = seal.open(factor.sealedKey, accountId)
    const given = normalized(code)
    const step = key && /^\d{6}$/.test(given) ? stepOfCode(key, given, clock()) : undefined
    const isUsed =
      step === undefined
        ? await store(tx).useRecoveryCode(accountId, recoveryHash(accountId, given))
        : await store(tx).useStep(accountId, step)
    if (!isUsed) throw wrongSecondFactor(CREDENTIALS_NEEDED)
    return step === undefined ? factor.recoveryHashes.length - 1 : undefined
  }

  return {
    async state({ account }: Caller): Promise<SecondFactorState> {
      const factor = await read.secondFactors?.get(account.id)
      const isEnabled = factor?.isConfirmed === true
      return { isEnabled, recoveryCodesLeft: isEnabled ? factor.recoveryHashes.length : 0 }
    },

    /**
     * Returns a new key for an app. It is asked for after {@link confirm}.
     *
     * @throws `second_factor_exists`
     */
    async begin(caller: Caller): Promise<TotpKey> {
      const key = newTotpKey()
      const { id, email } = caller.account
      const begun = await write(async (tx) => {
        await lockCaller(tx, caller)
        return store(tx).begin(id, seal.seal(key, id), clock())
      })
      if (!begun) throw secondFactorExists()
      return { key, url: otpauthUrl(name, email, key) }
    },

    /** Returns the key that waits to be confirmed. Undefined when there is none. */
    async pending({ account: { id, email } }: Caller): Promise<TotpKey | undefined> {
      const factor = await read.secondFactors?.get(id)
      const key = factor && !factor.isConfirmed ? seal.open(factor.sealedKey, id) : undefined
      return key === undefined ? undefined : { key, url: otpauthUrl(name, email, key) }
    },

    /** Whether the password is needed to confirm a key: an account that only uses providers or passkeys has none. */
    hasPassword: async ({ account }: Caller): Promise<boolean> =>
      typeof (await read.accounts.getPasswordHash(account.id)) === 'string',

    /**
     * Enables the key with its first code, ends all other sessions, and returns the recovery codes. They are shown once. It
     * needs the password, so that a stolen session cannot lock out the owner; an account without one needs a recent proof.
     *
     * @throws `second_factor_not_found`, `wrong_password`, `too_many_wrong_passwords`, `wrong_second_factor`,
     *   `too_many_wrong_codes`, `recent_sign_in_required`
     */
    async confirm(caller: Caller, { code, password = '', from }: Confirmation): Promise<readonly string[]> {
      const { id } = caller.account
      await countAttempt(id)
      if (await read.accounts.getPasswordHash(id)) await requirePassword(caller, password, from)
      else requireRecentProof(caller, clock())
      const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
      await write(async (tx, emit) => {
        await lockCaller(tx, caller)
        const factor = await store(tx).get(id)
        if (!factor || factor.isConfirmed) throw secondFactorNotFound()
        const key = seal.open(factor.sealedKey, id)
        const step = key === undefined ? undefined : stepOfCode(key, normalized(code), clock())
        if (step === undefined) throw wrongSecondFactor(CREDENTIALS_NEEDED)
        const hashes = codes.map((each) => recoveryHash(id, each))
        if (!(await store(tx).confirm(id, factor.sealedKey, step, hashes))) throw secondFactorNotFound()
        await endSessions(tx, emit, id, 'ended_by_owner', { except: caller.sessionId })
      })
      accountMailer.secondFactorEnabled(caller.account)
      return codes
    },

    /**
     * Disables it with a code of the app or a recovery code.
     *
     * @throws `second_factor_not_found`, `wrong_second_factor`, `too_many_wrong_codes`
     */
    async remove(caller: Caller, code: string): Promise<void> {
      const { id } = caller.account
      await countAttempt(id)
      await write(async (tx) => {
        await lockCaller(tx, caller)
        const factor = await store(tx).get(id)
        if (!factor?.isConfirmed) throw secondFactorNotFound()
        await useCode(tx, id, code)
        await store(tx).delete(id)
      }).catch(async (error: unknown) => {
        if (isWrongCode(error)) await noteFailure(caller.account)
        throw error
      })
      accountMailer.secondFactorDisabled(caller.account, 'owner')
    },

    /**
     * Proves with a code of the app, or a recovery code, that a caller owns the account. `prove` stores it, and uses the code up.
     *
     * @throws `second_factor_not_found`, `wrong_second_factor`, `too_many_wrong_codes`
     */
    async prove<Proved>(
      caller: Caller,
      code: string,
      prove: (consume: (tx: Stores) => Promise<unknown>) => Promise<Proved>,
    ): Promise<Proved> {
      const { account } = caller
      if (!(await read.secondFactors?.get(account.id))?.isConfirmed) throw secondFactorNotFound()
      await countAttempt(account.id)
      let recoveryCodesLeft: number | undefined
      try {
        const proved = await prove(async (tx) => {
          recoveryCodesLeft = await useCode(tx, account.id, code)
        })
        if (recoveryCodesLeft !== undefined) accountMailer.recoveryCodeUsed(account, recoveryCodesLeft)
        return proved
      } catch (error) {
        if (isWrongCode(error)) await noteFailure(account)
        throw error
      }
    },

    /** Disables it for an account in the transaction of an administrator. False when it is not enabled. */
    async reset(tx: Stores, accountId: string): Promise<boolean> {
      const factor = await store(tx).get(accountId)
      return factor?.isConfirmed === true && store(tx).delete(accountId)
    },

    /** Reports {@link reset} to the owner. */
    reportReset: (account: Account): void => accountMailer.secondFactorDisabled(account, 'administrator'),

    /**
     * Refuses a sign-in whose password was right when a code is needed too, with a token for {@link take}. Stores
     * `strongerHash`, because only this step has the password.
     *
     * @throws `second_factor_required`
     */
    async require(account: Account, strongerHash?: string | undefined): Promise<void> {
      const factor = await read.secondFactors?.get(account.id)
      if (!factor?.isConfirmed) return
      const secret = randomBytes(32).toString('base64url')
      const createdAt = clock()
      const expiresAt = new Date(createdAt.getTime() + TOKEN_SECONDS * 1000)
      await write(async (tx) => {
        if (strongerHash !== undefined) {
          const now = await tx.accounts.lock(account.id)
          // The password may have been changed since it was checked.
          const isCurrent = now?.tokenVersion === account.tokenVersion
          if (isCurrent) await tx.accounts.save(account.id, { passwordHash: strongerHash })
        }
        await tx.tokens.put({
          id: randomUUID(),
          purpose: 'second_factor',
          hash: sha256(secret),
          accountId: account.id,
          data: { token_version: account.tokenVersion },
          triesLeft: null,
          createdAt,
          expiresAt,
        })
      })
      throw secondFactorRequired({
        details: { token: secret, expires_at: expiresAt.toISOString() },
        ...CREDENTIALS_NEEDED,
      })
    },

    /**
     * Takes the token of a sign-in, and returns its account. `consumeProof` uses the code in the transaction that begins the
     * session, `signedIn` reports a recovery code afterwards, and `putBack` makes the token valid again after a wrong code.
     *
     * @throws `invalid_or_expired_token`, `too_many_wrong_codes`, which leaves the token valid
     */
    async take(secret: string, code: string) {
      const token: Token | undefined = await write((tx) =>
        tx.tokens.consume({ purpose: 'second_factor', hash: sha256(secret) }),
      )
      const account = token?.accountId ? await read.accounts.get(token.accountId) : undefined
      // The password was changed since it was checked.
      if (!token || account?.tokenVersion !== token.data.token_version || !account) throw signInExpired()
      const putBack = () => write((tx) => tx.tokens.put(token))
      try {
        await countAttempt(account.id)
      } catch (error) {
        await putBack()
        throw error
      }
      let recoveryCodesLeft: number | undefined
      return {
        account,
        putBack,
        /** Counts the code as wrong. */
        noteFailure: () => noteFailure(account),
        async consumeProof(tx: Stores) {
          recoveryCodesLeft = await useCode(tx, account.id, code)
        },
        signedIn() {
          if (recoveryCodesLeft !== undefined) accountMailer.recoveryCodeUsed(account, recoveryCodesLeft)
        },
      }
    },
  }
}

export type SecondFactorService = ReturnType<typeof createSecondFactor>
