import type { Page, PageRequest } from '../../kernel/page.ts'
import type { GateConfig } from '../../model/gate-config.ts'
import type { ConnectedProfile } from './connections.ts'
import type { ErasedAccount } from './erasure.ts'
import type { StoredFile } from './files.ts'
import type { Profile } from './profiles.ts'

/** A listed profile that a post mentions. */
export interface FeedMention {
  /** Where the mention begins in the body, in UTF-16 code units. */
  readonly start: number
  readonly profile: Pick<Profile, 'id' | 'type' | 'username'>
}

/** A file of the author that a post shows. */
export type FeedAttachment = Pick<StoredFile, 'id' | 'filename' | 'contentType' | 'size'>

/** How often a post was liked, and how many replies it has. Hidden replies do not count. */
export interface FeedCounts {
  readonly likes: number
  readonly replies: number
}

/** A short public update of a profile. */
export interface FeedPost {
  readonly id: number
  readonly profile: ConnectedProfile & {
    /** The gates that may protect its avatar and the attachments; null without a gate, or without an avatar and attachments. */
    readonly gates: GateConfig | null
  }
  readonly body: string
  /** The post that it replies to, which may be deleted. */
  readonly replyTo: number | null
  /** The attachments that still exist, in the author's order. */
  readonly attachments: readonly FeedAttachment[]
  /** Mentions of profiles that are listed now, in the order of the body. */
  readonly mentions: readonly FeedMention[]
  readonly createdAt: Date
  readonly counts: FeedCounts
  /** Whether its profile is listed: it is public, not withdrawn, and its owner is not banned. */
  readonly isListed: boolean
}

/** A post to insert. */
export interface NewFeedPost {
  readonly profileId: number
  /** The account of the member that posts. */
  readonly accountId: string
  readonly body: string
  /** In lower case; each once. */
  readonly hashtags: readonly string[]
  /** The mentioned profiles, and where each mention begins. Profiles that do not exist are left out. */
  readonly mentions: readonly { readonly start: number; readonly profileId: number }[]
  readonly replyTo: number | null
  /** Ids of files. */
  readonly attachments: readonly number[]
  readonly createdAt: Date
}

/** The result of inserting a post. */
export type InsertedPost =
  | { readonly outcome: 'inserted'; readonly id: number }
  /** The profile or the account is gone. */
  | { readonly outcome: 'author_gone' }
  /** The post that it replies to is gone or hidden. */
  | { readonly outcome: 'reply_target_gone' }

/** A post of an import. It mentions no profile. */
export interface ImportedPost extends Omit<NewFeedPost, 'profileId' | 'accountId' | 'mentions' | 'replyTo'> {
  /** The post of the same profile that it replies to: one that is stored, or an earlier one of the same call by its index. */
  readonly replyTo: { readonly id: number } | { readonly index: number } | null
}

/** Which posts to list. */
export type FeedQuery =
  /** The posts of every listed profile. */
  | { readonly of: 'everyone' }
  /** The posts of the listed profiles that this one follows. */
  | { readonly of: 'following'; readonly profileId: number }
  /** The posts of one profile. With `listed`, none unless it is listed. */
  | { readonly of: 'profile'; readonly profileId: number; readonly listed: boolean }
  /** The posts of listed profiles with a hashtag. */
  | { readonly of: 'hashtag'; readonly hashtag: string }
  /** The replies of listed profiles to a post. */
  | { readonly of: 'replies'; readonly postId: number }

/** A like of a post by an account. */
export interface PostLike {
  readonly postId: number
  readonly createdAt: Date
}

/** A post that was deleted. */
export interface DeletedPost {
  readonly profileId: number
  /** Whether an administrator had hidden it. */
  readonly wasHidden: boolean
}

/** Posts of profiles, for reading. Only `getAuthorId` and `listLikes` return hidden posts. */
export interface FeedReader {
  /** A post, also of an unlisted profile. */
  get(id: number): Promise<FeedPost | undefined>
  /** The profile of a post, also of a hidden one. */
  getAuthorId(id: number): Promise<number | undefined>
  /**
   * Posts by (created_at, id) descending. `total` is counted up to {@link MAX_COUNTED_POSTS}, because lists may have
   * millions of posts. Use one statement for the list of followed profiles.
   */
  list(query: FeedQuery, page: PageRequest): Promise<Page<FeedPost>>
  /**
   * The likes of an account by the ids of their posts, ascending, also of posts that are hidden or not listed.
   *
   * @param postIds - the posts to look at. Default: all
   */
  listLikes(accountId: string, page: PageRequest, postIds?: readonly number[]): Promise<Page<PostLike>>
  /** The number of posts in all profiles of an account, hidden ones too. */
  countOfAccount(accountId: string): Promise<number>
  /** Whether an administrator has disabled posting for an account. */
  isPostingClosed(accountId: string): Promise<boolean>
}

/** The maximum `total` of lists of posts. */
export const MAX_COUNTED_POSTS = 1_000

/** Posts of profiles. They are deleted with their profile, which also updates the reply counts of other posts. */
export interface FeedStore extends FeedReader {
  /**
   * Locks the profiles that exist, their accounts and this account against changes and deletion until the transaction
   * ends, and returns the ids of these profiles. Transactions that post or delete call it first, so that they lock what
   * they need in one order: accounts, profiles, posts, each by id.
   */
  hold(profileIds: readonly number[], accountId: string): Promise<readonly number[]>
  /** Adds a post, and counts it as a reply. A reply and the deletion of its target wait for each other. */
  insert(post: NewFeedPost): Promise<InsertedPost>
  /**
   * Adds posts of a profile in a few statements, and counts them as replies. Returns their ids in the same order;
   * undefined when the profile or the account is gone.
   */
  insertAll(
    posts: readonly ImportedPost[],
    author: { readonly profileId: number; readonly accountId: string },
  ): Promise<readonly number[] | undefined>
  /** Deletes a post with its likes and keeps its replies. Exactly one of concurrent calls returns it. */
  delete(id: number): Promise<DeletedPost | undefined>
  /**
   * Hides a post, or shows it again (null). Hidden replies are not counted. `isChanged` is false when it was hidden or
   * shown already; exactly one of concurrent calls changes it. `undefined` when the post does not exist.
   */
  setHidden(
    id: number,
    hiddenAt: Date | null,
  ): Promise<{ readonly profileId: number; readonly isChanged: boolean } | undefined>
  /**
   * Disables posting for an account, or enables it (null). False when nothing changes; `undefined` when the account
   * does not exist.
   */
  setPostingClosed(accountId: string, closedAt: Date | null): Promise<boolean | undefined>
  /** Likes a post as an account, once. `undefined` when the post does not exist or is hidden, or the account does not exist. */
  like(like: {
    readonly postId: number
    readonly accountId: string
    readonly at: Date
  }): Promise<(FeedCounts & { readonly isNew: boolean }) | undefined>
  /** Removes a like. Does nothing without one. `undefined` when the post does not exist or is hidden. */
  unlike(postId: number, accountId: string): Promise<FeedCounts | undefined>
  /** Removes all likes of an account, and updates the counts. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
