import type { Caller } from '../../../model/caller.ts'
import type { Metric } from './figures.ts'
import type { Analytics, AskedPeriod, LiveAnalytics } from './service.ts'

/** The methods of `app.eep.analytics`. */
export interface AnalyticsApi {
  /**
   * Returns the figures of a profile, for its team. Revenue is null for roles that may not read payments.
   *
   * @param metrics - Those to read; the figures of others are 0 or empty. Default: all.
   * @throws `profile_not_found`, `not_profile_owner`, `invalid_range`, `figures_expired`
   */
  get(profileId: number, query: AskedPeriod, metrics: readonly Metric[] | undefined, caller: Caller): Promise<Analytics>
  /**
   * Returns the figures of the last 30 minutes, for the team of a profile.
   *
   * @throws `profile_not_found`, `not_profile_owner`
   */
  live(profileId: number, caller: Caller): Promise<LiveAnalytics>
}
