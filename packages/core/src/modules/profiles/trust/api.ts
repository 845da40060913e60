import type { Caller } from '../../../model/caller.ts'
import type { ProfileType } from '../../../model/profile-type.ts'
import type { ProfileSignal, TrustScore } from '../../../model/trust-score.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'

/** The methods of `app.eep.trust`. */
export interface TrustApi {
  /**
   * Returns the trust score of a profile, 0 to 100, with the signals it is computed from.
   *
   * @throws `profile_not_found`, `profile_moved`
   */
  ofProfile(
    type: ProfileType,
    username: string,
    caller?: Caller,
  ): Promise<{ profile: Profile; trust: TrustScore<ProfileSignal> }>
}
