import type { Plan } from './plan.ts'

/** An account. It never carries the password hash: `getPasswordHash` is the only way to read one. */
export interface Account {
  /** UUID. */
  readonly id: string
  /** As the owner wrote it; unique without regard to case. */
  readonly email: string
  readonly emailVerified: boolean
  /** Unique in the service; `[a-z0-9-]`. */
  readonly username: string
  readonly fullName: string | null
  /** Increased by every password change, takeover and ban: older session tokens are refused. */
  readonly tokenVersion: number
  /** What it has now: the highest of what was granted and what is subscribed to. */
  readonly tier: Plan
  /** What an administrator gave it; null for nothing. */
  readonly grantedTier: Plan | null
  /** Whether it has used its trial; there is one per account. */
  readonly hadTrial: boolean
  readonly isAdmin: boolean
  readonly bannedAt: Date | null
  readonly deletionScheduledAt: Date | null
  readonly createdAt: Date
}
