import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { ConnectionSide } from '../../../ports/storage/connections.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Acting, Followed, ScoredConnection } from './service.ts'

/** The methods of `app.eep.connections`. */
export interface ConnectionsApi {
  /**
   * Returns the followers of the acting profile, or the profiles that it follows, without hidden ones.
   *
   * @throws `profile_not_found`, `not_profile_owner`, `invalid_cursor`
   */
  list(side: ConnectionSide, request: PageRequest, actor: Acting): Promise<Page<ScoredConnection>>
  /**
   * Makes the acting profile follow another one. `isNew` is false when it did already; of concurrent calls one is new.
   *
   * @throws `profile_not_found`, `not_profile_owner`, `cannot_follow_itself`, `follow_limit_reached`
   */
  follow(followed: Followed, actor: Acting): Promise<{ follower: Profile; followee: Profile; isNew: boolean }>
  /**
   * Makes the acting profile unfollow another one. Does nothing when it did not follow it. Returns that other profile.
   *
   * @throws `profile_not_found`, `not_profile_owner`, `cannot_follow_itself`
   */
  unfollow(followed: Followed, actor: Acting): Promise<{ followee: Profile }>
}
