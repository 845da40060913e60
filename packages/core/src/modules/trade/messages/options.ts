import { z } from 'zod'

/** The options of the feature. */
export const messagesOptions = {
  /**
   * The trust score that a profile needs to write to one that has not written to it.
   * @default 20
   */
  minTrustScore: z.int().min(0).max(100).default(20),
  /**
   * Messages that an account may send in a minute.
   * @default 30
   */
  perMinute: z.int().min(1).max(100_000).default(30),
  /**
   * Conversations that an account may open in an hour.
   * @default 20
   */
  newPerHour: z.int().min(1).max(100_000).default(20),
  /**
   * Days for which an account counts as new. It may not send links to profiles that have not answered it. With 0, no account has
   * the stricter limits.
   * @default 0
   */
  newAccountDays: z.number().min(0).max(365).default(0),
  /**
   * Messages that a new account may send in a minute.
   * @default 10
   */
  newAccountPerMinute: z.int().min(1).max(100_000).default(10),
  /**
   * Conversations that a new account may open in an hour.
   * @default 5
   */
  newAccountNewPerHour: z.int().min(1).max(100_000).default(5),
}
