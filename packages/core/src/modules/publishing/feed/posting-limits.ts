import type { FeatureSettings } from '../../../framework/module/feature.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { DAY_MS, HOUR_MS } from '../../../kernel/durations.ts'
import type { Account } from '../../../model/account.ts'
import type { LocalRateLimits } from '../../../runtime/rate-limits/local-rate-limits.ts'
import { msUntilReset } from '../../../runtime/rate-limits/ms-until-reset.ts'
import { countLinks } from './count-links.ts'
import { tooManyLinks, tooManyPosts } from './errors.ts'
import type { feedOptions } from './options.ts'

export interface PostingLimitDeps {
  readonly clock: Clock
  readonly counters: Pick<LocalRateLimits, 'hit'>
  readonly scaled: (limit: number) => number
  readonly limits: FeatureSettings<typeof feedOptions>
}

/** Creates the posting limits. New accounts, which are free to register, have lower ones. */
export function createPostingLimits({ clock, counters, scaled, limits }: PostingLimitDeps) {
  /** The limits of an account; for a new one, with the facts of errors that name it. */
  function limitsOf({ createdAt }: Account) {
    const newUntil = new Date(createdAt.getTime() + limits.newAccounts.days * DAY_MS)
    return clock() < newUntil
      ? { ...limits.newAccounts, ofNew: { new_account_until: newUntil.toISOString() } }
      : { ...limits, ofNew: {} }
  }

  return {
    /** How many links a post of an account may have. */
    linksPerPostOf: (account: Account): number => limitsOf(account).linksPerPost,

    /** @throws `too_many_links` */
    requireFewLinks(account: Account, body: string): void {
      const { linksPerPost, ofNew } = limitsOf(account)
      if (countLinks(body) > linksPerPost) throw tooManyLinks({ details: { allowed: linksPerPost, ...ofNew } })
    },

    /**
     * Counts a post, even if it is not stored afterwards.
     *
     * @throws `too_many_posts`
     */
    async count(account: Account): Promise<void> {
      const { postsPerHour, ofNew } = limitsOf(account)
      const hit = await counters.hit(`feed:${account.id}`, HOUR_MS)
      if (hit.count <= scaled(postsPerHour)) return
      throw tooManyPosts({ retryAfterMs: msUntilReset(hit), details: { posts_per_hour: postsPerHour, ...ofNew } })
    },
  }
}

/** Limits on posts and their links. */
export type PostingLimits = ReturnType<typeof createPostingLimits>
