import type { Plan } from './plan.ts'

/** An account, without its password hash. Only `getPasswordHash` returns that. */
export interface Account {
  /** UUID. */
  readonly id: string
  /** In the owner's spelling; unique case-insensitively. */
  readonly email: string
  /** Whether a person who reads the address confirmed it. */
  readonly emailVerified: boolean
  /**
   * Whether the account proved that its own person reads the address: by a link that was opened in a session or with the
   * password of the account, by a password reset, a sign-in provider, an invitation or the host. Anyone can register with the
   * address of another person, so what belongs to an address goes to accounts that own it. Never true for an address that is
   * not verified.
   */
  readonly emailOwned: boolean
  /** Unique in the service; `[a-z0-9-]`. */
  readonly username: string
  readonly fullName: string | null
  /** The language of its emails, as BCP 47; null for the language of the host. */
  readonly language: string | null
  /** Incremented by every password change, takeover and ban. Older session tokens are rejected. */
  readonly tokenVersion: number
  /** The current plan: the higher of the granted and the subscribed one. */
  readonly tier: Plan
  /** The plan that an administrator granted; null for none. */
  readonly grantedTier: Plan | null
  /** Whether it has used its trial; there is one per account. */
  readonly hadTrial: boolean
  readonly isAdmin: boolean
  readonly bannedAt: Date | null
  readonly deletionScheduledAt: Date | null
  readonly createdAt: Date
}
