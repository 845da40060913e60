import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { HOUR_MS } from '../../../kernel/durations.ts'
import { emailAddress } from '../../../kernel/email-address.ts'
import { hashesAtOnce } from '../../../kernel/thread-pool.ts'
import type { HostAuth } from '../../../ports/host-auth.ts'
import type { WalletVerifier } from '../../../ports/wallet-verifier.ts'
import { type Group, group, port } from '../fields.ts'

const HOUR_SECONDS = 3_600
const seconds = z.int().min(1)

const passwordHashing = {
  /**
   * Memory of one argon2id hash, in KiB. The default is the recommendation of OWASP.
   * @default 19456
   */
  memoryKiB: z.int().min(1024).default(19_456),
  /**
   * Iterations of argon2id.
   * @default 2
   */
  iterations: z.int().min(2).default(2),
  /**
   * Hashes computed concurrently; further ones wait. At most two fewer than the threads of libuv's pool (`UV_THREADPOOL_SIZE`,
   * 4 by default), so that files and DNS always find a thread; at least one. A higher number is reduced with a warning.
   * @default one less than the number of cores, within that limit
   */
  concurrency: z
    .int()
    .min(1)
    .default(() => hashesAtOnce(Math.max(1, availableParallelism() - 1))),
}

const expiry = {
  /**
   * Validity of the link that verifies an email address.
   * @default 86400
   */
  verifyEmailSeconds: seconds.default(24 * HOUR_SECONDS),
  /**
   * Pause before another verification email can be requested.
   * @default 60
   */
  resendVerificationSeconds: seconds.default(60),
  /**
   * Validity of the link that resets a password.
   * @default 3600
   */
  resetPasswordSeconds: seconds.default(HOUR_SECONDS),
  /**
   * Validity of the links that undo a change of the email address or of a payout wallet. Credentials that were added in this time
   * before the change end too.
   * @default 259200
   */
  undoChangeSeconds: seconds.default(72 * HOUR_SECONDS),
  /**
   * Validity of the code that confirms the deletion of an account.
   * @default 600
   */
  deleteCodeSeconds: seconds.default(600),
  /**
   * Days during which a deleted account can be restored.
   * @default 30
   */
  deletionGraceDays: z.number().positive().max(365).default(30),
}

export const auth = {
  /**
   * Authenticates users by the host's sessions. Registration, sign-in and passwords of the service are then off. See
   * docs/embed/host-authentication.md.
   */
  hostAuth: port<HostAuth>('authenticate').optional(),
  /** Verifies signatures of wallets, so that accounts can link them: `evmWallets()`. See docs/guides/wallets.md. */
  walletVerifier: port<WalletVerifier>('verify').optional(),
  /** Email addresses whose accounts are administrators once the address is verified. */
  adminEmails: z.array(emailAddress).readonly().default([]),
  /** Cost of new password hashes (argon2id). */
  passwordHashing: group(passwordHashing) as Group<typeof passwordHashing>,
  /** How long links and codes in emails are valid, and how long deleted accounts can be restored. */
  expiry: group(expiry) as Group<typeof expiry>,
  /**
   * How often accounts past their deletion grace period are purged and expired subscriptions are ended.
   * @default 3600000
   */
  purgeIntervalMs: z.int().min(100).default(HOUR_MS),
  /**
   * How long API keys are kept after they were revoked or expired, in days.
   * @default 90
   */
  endedKeyRetentionDays: z.int().min(1).max(36_500).default(90),
}
