import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { FeedCounts, FeedPost } from '../../../ports/storage/feed.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Acting, PostDraft, ProfileFeed } from './service.ts'

/** The methods of `app.eep.feed`. */
export interface FeedApi {
  /**
   * Returns a post that the caller may see.
   *
   * @throws `post_not_found`
   */
  get(id: number, caller: Caller | undefined): Promise<FeedPost>
  /**
   * Deletes a post, hidden or not, as a member of its team or as an administrator. Replies are kept.
   *
   * @throws `post_not_found`, `not_profile_owner`; `forbidden` when the caller has lost
   *   administrator rights, `unauthenticated` when the session has ended
   */
  remove(id: number, caller: Caller): Promise<void>
  /**
   * Creates a post as the acting profile. Posts of profiles that are not visible in listings are shown to their teams only.
   *
   * @throws `profile_not_found`, `not_profile_owner`, `post_not_found` for a `replyTo` that the caller cannot see,
   * `reply_target_gone` when it was removed in the meantime, `invalid_attachment`, `too_many_links`, `too_many_posts`,
   * `posting_closed`, `post_limit_reached`
   */
  post(draft: PostDraft, actor: Acting): Promise<FeedPost>
  /**
   * Lists the replies to a post, newest first.
   *
   * @throws `post_not_found`, `invalid_cursor`
   */
  listReplies(
    id: number,
    request: PageRequest,
    caller?: Caller,
  ): Promise<{ readonly post: FeedPost; readonly page: Page<FeedPost> }>
  /** Lists the posts of all public profiles, newest first. Throws `invalid_cursor`. */
  listAll(request: PageRequest): Promise<Page<FeedPost>>
  /**
   * Lists the posts with a hashtag in any case, newest first. Empty for a text that is not a hashtag.
   *
   * @throws `invalid_cursor`
   */
  listOfHashtag(tag: string, request: PageRequest): Promise<{ readonly hashtag: string; readonly page: Page<FeedPost> }>
  /**
   * Lists the posts of a profile, newest first. Empty for others than the team when the profile is not visible in listings.
   *
   * @throws `profile_not_found`, `profile_moved`, `invalid_cursor`
   */
  listOfProfile(
    profile: Pick<Profile, 'type' | 'username'>,
    request: PageRequest,
    caller?: Caller,
  ): Promise<ProfileFeed>
  /**
   * Lists the posts of the profiles that the acting profile follows, newest first.
   *
   * @throws `profile_not_found`, `not_profile_owner`, `invalid_cursor`
   */
  listFollowing(request: PageRequest, actor: Acting): Promise<Page<FeedPost>>
  /**
   * Likes a post once as the account of the caller. `isNew` is false when the account already likes it.
   *
   * @throws `post_not_found`
   */
  like(id: number, caller: Caller): Promise<FeedCounts & { readonly isNew: boolean }>
  /**
   * Removes a like. Does nothing when there is none.
   *
   * @throws `post_not_found`
   */
  unlike(id: number, caller: Caller): Promise<FeedCounts>
}
