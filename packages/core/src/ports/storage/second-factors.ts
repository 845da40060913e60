import type { ErasedAccount } from './erasure.ts'

/** The two-factor authentication of an account: codes of an app (TOTP, RFC 6238), and recovery codes. */
export interface SecondFactor {
  readonly accountId: string
  /** The key of the app, encrypted by the service. */
  readonly sealedKey: string
  /** Whether a code confirmed it. Until then it is not asked for. */
  readonly isConfirmed: boolean
  /** The time step of the last used code; codes of it and of earlier steps are refused. */
  readonly lastStep: number
  /** SHA-256 of the recovery codes that are not used, hex. */
  readonly recoveryHashes: readonly string[]
  readonly createdAt: Date
}

/** The two-factor authentication of accounts, for reading. */
export interface SecondFactorReader {
  /** Returns the second factor of an account; undefined when it has none. */
  get(accountId: string): Promise<SecondFactor | undefined>
}

/** The two-factor authentication of accounts. An account has at most one. */
export interface SecondFactorStore extends SecondFactorReader {
  /** Adds one that is not confirmed, and replaces one that is not confirmed. False when the account has a confirmed one. */
  begin(accountId: string, sealedKey: string, at: Date): Promise<boolean>
  /**
   * Confirms one with the step of its first code, and stores its recovery codes. False when it is confirmed, has another key,
   * or does not exist. Of concurrent calls one succeeds.
   */
  confirm(accountId: string, sealedKey: string, step: number, recoveryHashes: readonly string[]): Promise<boolean>
  /**
   * Uses the code of a step of a confirmed one. False for the step of the last used code and for earlier ones, so of concurrent
   * calls with the same step one succeeds.
   */
  useStep(accountId: string, step: number): Promise<boolean>
  /** Uses a recovery code of a confirmed one. Of concurrent calls with the same code one succeeds. */
  useRecoveryCode(accountId: string, hash: string): Promise<boolean>
  /** Deletes the one of an account. Of concurrent calls one returns true. */
  delete(accountId: string): Promise<boolean>
  /** Deletes the one of an account. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
