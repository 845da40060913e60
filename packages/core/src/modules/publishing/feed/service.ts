import type { Clock } from '../../../kernel/clock.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { foldHashtag } from '../../../kernel/hashtags.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { May } from '../../../model/permission.ts'
import type { PlanTable } from '../../../model/plan.ts'
import { type ProfilePrefix, type ProfileType, TYPE_BY_PREFIX } from '../../../model/profile-type.ts'
import { isPublicFile } from '../../../model/public-file.ts'
import { isVisible } from '../../../model/visibility.ts'
import type { FeedCounts, FeedPost, FeedQuery } from '../../../ports/storage/feed.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockAdministrator } from '../../../runtime/storage/lock-caller.ts'
import { type MyProfiles, type ProfileService, profileNotFound } from '../../profiles/profiles/index.ts'
import { invalidAttachment, postingClosed, postLimitReached, postNotFound, replyTargetGone } from './errors.ts'
import { postPublished, postRemoved } from './events.ts'
import { recordDeletion } from './moderation.ts'
import { type ParsedPost, parsePost } from './post-text.ts'
import type { PostingLimits } from './posting-limits.ts'
import { addressOfPost } from './serialize.ts'

export interface FeedDeps extends GuardedStorage<'feed'> {
  readonly clock: Clock
  readonly profiles: Pick<
    ProfileService,
    'find' | 'get' | 'roleOf' | 'requirePermission' | 'requirePermissionIn' | 'publicUrl'
  >
  readonly may: May
  readonly myProfiles: Pick<MyProfiles, 'acting'>
  readonly limits: PostingLimits
  readonly planLimits: PlanTable
}

/** The acting profile: the one that the request names, or the default of the caller. */
export interface Acting {
  readonly caller: Caller
  readonly activeProfileId?: number | undefined
}

/** A post to write. */
export interface PostDraft {
  readonly body: string
  readonly replyTo?: number | null | undefined
  /** Ids of files of the acting profile. */
  readonly attachments?: readonly number[] | undefined
}

/** The posts of a profile. */
export interface ProfileFeed {
  readonly profile: Profile
  /** Whether the caller may see the posts: the profile is visible in listings, or the caller is in its team. */
  readonly isShown: boolean
  readonly page: Page<FeedPost>
}

export function createFeedService(deps: FeedDeps) {
  const { read, write, clock, may, profiles, myProfiles, limits, planLimits } = deps
  const acting = ({ caller, activeProfileId }: Acting): Promise<Profile> =>
    myProfiles.acting(activeProfileId ?? caller.profileId, caller)

  const addressOf = (postId: number) => addressOfPost(profiles, postId)

  /** Returns a post that is visible in listings, or that belongs to a profile of which the caller is a member. */
  async function visiblePost(id: number, caller: Caller | undefined): Promise<FeedPost> {
    const post = await read.feed.get(id)
    if (!post) throw postNotFound()
    if (post.isListed) return post
    const profile = caller && (await read.profiles.get(post.profile.id))
    const role = profile && profile.withdrawnAt === null ? await profiles.roleOf(profile, caller) : undefined
    if (role === undefined) throw postNotFound()
    return post
  }

  /** Returns the author of a post that the caller may see, or of a hidden post of a team that the caller is a member of. */
  async function authorOfRemovable(id: number, caller: Caller): Promise<number> {
    const profileId = await read.feed.getAuthorId(id)
    const profile = profileId === undefined ? undefined : await read.profiles.get(profileId)
    if (!profile) throw postNotFound()
    const role = profile.withdrawnAt === null ? await profiles.roleOf(profile, caller) : undefined
    if (role === undefined) await visiblePost(id, caller)
    return profile.id
  }

  /** @throws `invalid_attachment` for a file of another profile, and for a gated one */
  async function requireOpenFiles({ id: profileId }: Profile, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return
    const [gate, ...files] = await Promise.all([read.gates.get(profileId), ...ids.map((id) => read.files?.get(id))])
    for (const [index, file] of files.entries()) {
      if (file?.profileId !== profileId || !isPublicFile(gate?.config, file.id)) {
        throw invalidAttachment({ details: { id: ids[index] } })
      }
    }
  }

  /** Whether a profile is visible in listings: it is public, and its owner is not banned. */
  async function isListed(profile: Profile): Promise<boolean> {
    if (!isVisible(profile, 'lists')) return false
    return (await read.accounts.get(profile.ownerAccountId))?.bannedAt === null
  }

  /** Returns the mentioned profiles that are visible in listings. */
  async function mentionsOf({ entities }: ParsedPost) {
    const found = await Promise.all(
      entities.map(async (entity) => {
        if (entity.type !== 'mention') return []
        const type: ProfileType | undefined = TYPE_BY_PREFIX[entity.prefix as ProfilePrefix]
        const profile = type && (await read.profiles.get({ type, username: entity.username }))
        return profile && (await isListed(profile)) ? [{ start: entity.start, profileId: profile.id }] : []
      }),
    )
    return found.flat()
  }

  return {
    async post({ body, replyTo = null, attachments = [] }: PostDraft, actor: Acting): Promise<FeedPost> {
      const { caller } = actor
      const author = await acting(actor)
      await profiles.requirePermission(author, caller, 'feed.post')
      const parsed = parsePost(body)
      limits.requireFewLinks(caller.account, body)
      if (replyTo !== null) await visiblePost(replyTo, caller)
      await requireOpenFiles(author, attachments)
      const mentions = await mentionsOf(parsed)
      await limits.count(caller.account)
      const id = await write(async (tx, emit) => {
        const accountId = caller.account.id
        await tx.feed.hold([author.id, ...mentions.map((mention) => mention.profileId)], accountId)
        const { id: profileId } = await profiles.requirePermissionIn(tx, author.id, caller, 'feed.post')
        if (await tx.feed.isPostingClosed(accountId)) throw postingClosed()
        const { maxPosts } = planLimits((await tx.accounts.get(author.ownerAccountId))?.tier ?? 'community')
        if ((await tx.feed.countOfAccount(author.ownerAccountId)) >= maxPosts) {
          throw postLimitReached({ details: { max_posts: maxPosts } })
        }
        const { hashtags } = parsed
        const createdAt = clock()
        const inserted = await tx.feed.insert({
          profileId,
          accountId,
          body,
          hashtags,
          mentions,
          replyTo,
          attachments,
          createdAt,
        })
        switch (inserted.outcome) {
          case 'author_gone':
            throw profileNotFound()
          case 'reply_target_gone':
            throw replyTargetGone()
          case 'inserted': {
            const mentioned = [...new Set(mentions.map((mention) => mention.profileId))]
            const data = { ...addressOf(inserted.id), hashtags, mentions: mentioned, replyTo, isNew: true }
            emit(postPublished, data, { profileId, accountId })
            return inserted.id
          }
        }
      })
      const post = await read.feed.get(id)
      if (!post) throw postNotFound()
      return post
    },

    async remove(id: number, caller: Caller): Promise<void> {
      const authorId = caller.isAdmin ? undefined : await authorOfRemovable(id, caller)
      await write(async (tx, emit) => {
        if (authorId === undefined) await lockAdministrator(tx, caller)
        else {
          await tx.feed.hold([authorId], caller.account.id)
          await profiles.requirePermissionIn(tx, authorId, caller, 'feed.post')
        }
        const deleted = await tx.feed.delete(id)
        if (!deleted) throw postNotFound()
        const { profileId, wasHidden } = deleted
        if (authorId === undefined) await recordDeletion(tx, { id, wasHidden, caller, at: clock() })
        if (!wasHidden) emit(postRemoved, addressOf(id), { profileId, accountId: caller.account.id })
      })
    },

    get: visiblePost,

    async listReplies(
      id: number,
      request: PageRequest,
      caller?: Caller | undefined,
    ): Promise<{ readonly post: FeedPost; readonly page: Page<FeedPost> }> {
      const post = await visiblePost(id, caller)
      return { post, page: await read.feed.list({ of: 'replies', postId: id }, request) }
    },

    listAll: (request: PageRequest): Promise<Page<FeedPost>> => read.feed.list({ of: 'everyone' }, request),

    async listOfHashtag(
      tag: string,
      request: PageRequest,
    ): Promise<{ readonly hashtag: string; readonly page: Page<FeedPost> }> {
      const hashtag = foldHashtag(tag)
      if (hashtag === undefined) return { hashtag: tag, page: { items: [], total: 0 } }
      return { hashtag, page: await read.feed.list({ of: 'hashtag', hashtag }, request) }
    },

    async listOfProfile(
      { type, username }: Pick<Profile, 'type' | 'username'>,
      request: PageRequest,
      caller?: Caller | undefined,
    ): Promise<ProfileFeed> {
      const profile = await profiles.find(type, username, caller)
      const listed = isVisible(profile, 'lists') || (await profiles.roleOf(profile, caller)) === undefined
      const query: FeedQuery = { of: 'profile', profileId: profile.id, listed }
      const page = await read.feed.list(query, request)
      return { profile, page, isShown: !listed || page.items.length > 0 || (await isListed(profile)) }
    },

    async listFollowing(request: PageRequest, actor: Acting): Promise<Page<FeedPost>> {
      const { id: profileId } = await acting(actor)
      return read.feed.list({ of: 'following', profileId }, request)
    },

    /** Whether the acting profile of a caller may post. False also for a profile that the caller may not act for. */
    async mayPost(actor: Acting): Promise<boolean> {
      const author = await acting(actor).catch((error: unknown) => {
        if (isEepError(error) && error.status < 500) return undefined
        throw error
      })
      if (!author || !may(await profiles.roleOf(author, actor.caller), 'feed.post')) return false
      return !(await read.feed.isPostingClosed(actor.caller.account.id))
    },

    /** The posts that an account likes, of these. */
    async likedOf(ids: readonly number[], { account }: Caller): Promise<ReadonlySet<number>> {
      const { items } = await read.feed.listLikes(account.id, { limit: ids.length }, ids)
      return new Set(items.map(({ postId }) => postId))
    },

    async like(id: number, caller: Caller): Promise<FeedCounts & { readonly isNew: boolean }> {
      await visiblePost(id, caller)
      return write(async (tx) => {
        const counts = await tx.feed.like({ postId: id, accountId: caller.account.id, at: clock() })
        if (!counts) throw postNotFound()
        return counts
      })
    },

    async unlike(id: number, caller: Caller): Promise<FeedCounts> {
      await visiblePost(id, caller)
      return write(async (tx) => {
        const counts = await tx.feed.unlike(id, caller.account.id)
        if (!counts) throw postNotFound()
        return counts
      })
    },
  }
}

/** Short public updates of profiles. */
export type FeedService = ReturnType<typeof createFeedService>
