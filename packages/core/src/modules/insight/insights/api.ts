import type { Caller } from '../../../model/caller.ts'
import type { AgentInsights } from './service.ts'

/** The methods of `app.eep.insights`. */
export interface InsightsApi {
  /**
   * Returns what agents read, searched and were refused, the most active first, for the team of a profile. Default: the
   * last 30 days. Sales, and suggestions based on them, are only for roles that may read payments.
   *
   * @throws `profile_not_found`, `not_profile_owner`, `invalid_period`
   */
  ofAgents(
    profileId: number,
    query: { readonly from?: Date | undefined; readonly to?: Date | undefined },
    caller: Caller,
  ): Promise<AgentInsights>
}
