import type { Page, PageRequest } from '../../kernel/page.ts'
import type { GateConfig } from '../../model/gate-config.ts'
import type { ConnectedProfile } from './connections.ts'
import type { ErasedAccount } from './erasure.ts'
import type { StoredFile } from './files.ts'
import type { Profile } from './profiles.ts'

/** A profile that a post mentions, while lists show it. */
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
    /**
     * What may close its avatar and the attachments to others; null without a gate, and where there is neither an avatar nor
     * an attachment.
     */
    readonly gates: GateConfig | null
  }
  readonly body: string
  /** The post that it replies to, which may be gone. */
  readonly replyTo: number | null
  /** Those that still exist, in the order of the author. */
  readonly attachments: readonly FeedAttachment[]
  /** Those whose profiles lists show now, in the order of the body. */
  readonly mentions: readonly FeedMention[]
  readonly createdAt: Date
  readonly counts: FeedCounts
  /** Whether lists show its profile: it is public, not withdrawn, and its owner is not banned. */
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
  /** The profiles that it mentions, each by where its mention begins. Those that are gone are left out. */
  readonly mentions: readonly { readonly start: number; readonly profileId: number }[]
  readonly replyTo: number | null
  /** Ids of files. */
  readonly attachments: readonly number[]
  readonly createdAt: Date
}

/** What became of a new post. */
export type InsertedPost =
  | { readonly outcome: 'inserted'; readonly id: number }
  /** The profile or the account is gone. */
  | { readonly outcome: 'author_gone' }
  /** The post that it replies to is gone or hidden. */
  | { readonly outcome: 'reply_target_gone' }

/** Which posts to list. */
export type FeedQuery =
  /** Of every profile that lists show. */
  | { readonly of: 'everyone' }
  /** Of the profiles that this one follows and lists show. */
  | { readonly of: 'following'; readonly profileId: number }
  /** Of one profile. With `listed`, nothing unless lists show it. */
  | { readonly of: 'profile'; readonly profileId: number; readonly listed: boolean }
  /** With a hashtag, of the profiles that lists show. */
  | { readonly of: 'hashtag'; readonly hashtag: string }
  /** That reply to a post, of the profiles that lists show. */
  | { readonly of: 'replies'; readonly postId: number }

/** A post that was deleted. */
export interface DeletedPost {
  readonly profileId: number
  /** Whether an administrator had hidden it. */
  readonly wasHidden: boolean
}

/** Posts of profiles, for reading. Hidden posts are in none of these but `getAuthorId`. */
export interface FeedReader {
  /** A post, also one whose profile no list shows. */
  get(id: number): Promise<FeedPost | undefined>
  /** The profile of a post, also of a hidden one. */
  getAuthorId(id: number): Promise<number | undefined>
  /**
   * Posts by (created_at, id) descending. `total` is counted up to {@link MAX_COUNTED_POSTS}, because lists may have millions.
   * The list of followed profiles is one statement.
   */
  list(query: FeedQuery, page: PageRequest): Promise<Page<FeedPost>>
  /** Whether an administrator has closed the posting of an account. */
  isPostingClosed(accountId: string): Promise<boolean>
}

/** How far the lists of a feed are counted. */
export const MAX_COUNTED_POSTS = 1_000

/** Posts of profiles. They go with their profile; the counts of the posts that they replied to follow. */
export interface FeedStore extends FeedReader {
  /** Adds a post, and counts it as a reply. A reply and the removal of its target wait for each other. */
  insert(post: NewFeedPost): Promise<InsertedPost>
  /** Deletes a post with its likes. Replies stay. Of concurrent calls exactly one gets it. */
  delete(id: number): Promise<DeletedPost | undefined>
  /**
   * Hides a post since a moment, or shows it again (null). Hidden replies are not counted. `isChanged` is false when it was
   * hidden or shown already; of concurrent calls exactly one changes it. `undefined` when the post is gone.
   */
  setHidden(
    id: number,
    hiddenAt: Date | null,
  ): Promise<{ readonly profileId: number; readonly isChanged: boolean } | undefined>
  /** Closes the posting of an account since a moment, or opens it (null). False when it was so already; `undefined` when the account is gone. */
  setPostingClosed(accountId: string, closedAt: Date | null): Promise<boolean | undefined>
  /** Likes a post as an account, once. `undefined` when the post is gone or hidden, or the account is gone. */
  like(like: {
    readonly postId: number
    readonly accountId: string
    readonly at: Date
  }): Promise<(FeedCounts & { readonly isNew: boolean }) | undefined>
  /** Takes a like back; does nothing without one. `undefined` when the post is gone or hidden. */
  unlike(postId: number, accountId: string): Promise<FeedCounts | undefined>
  /** Takes back all likes of an account, and corrects the counts. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
