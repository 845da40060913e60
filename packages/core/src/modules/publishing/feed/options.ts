import { z } from 'zod'
import { type Group, group } from '../../../framework/options/fields.ts'

const newAccounts = {
  /**
   * Days for which an account counts as new. With 0, no account has the stricter limits.
   * @default 0
   */
  days: z.number().min(0).max(365).default(0),
  /**
   * Posts that a new account may write in an hour, over all of its profiles.
   * @default 5
   */
  postsPerHour: z.int().min(1).default(5),
  /**
   * Links in one post of a new account.
   * @default 0
   */
  linksPerPost: z.int().min(0).default(0),
}

/** The options of the feature. */
export const feedOptions = {
  /**
   * Posts that an account may write in an hour, over all of its profiles. `limits.rateLimit.multiplier` applies.
   * @default 30
   */
  postsPerHour: z.int().min(1).default(30),
  /**
   * Links in one post.
   * @default 5
   */
  linksPerPost: z.int().min(0).default(5),
  /** Stricter limits for new accounts, once `days` is set. */
  newAccounts: group(newAccounts) as Group<typeof newAccounts>,
}
