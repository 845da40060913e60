import { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import { HOUR_MS } from '../../kernel/durations.ts'
import { unauthenticated } from '../../kernel/errors.ts'
import { importedTime } from '../../module/imported-times.ts'
import { invalidMember, parseMember } from '../../module/parse-member.ts'
import type { ImportPart, ImportSource, ProfileImporter, SkippedItem } from '../../module/profile-import.ts'
import { invalidArchive } from '../../ports/archive-format.ts'
import type { Readers } from '../../ports/storage/storage.ts'
import { requireGroup } from '../../storage/require-group.ts'
import { type ProfileService, profileNotFound } from '../profiles/index.ts'
import { postingClosed } from './errors.ts'
import { postPublished } from './events.ts'
import { FEED_PATH } from './export-posts.ts'
import { parsePost } from './post-text.ts'
import type { PostingLimits } from './posting-limits.ts'
import { MAX_ATTACHMENTS, postText } from './schemas.ts'
import { addressOfPost } from './serialize.ts'

export interface PostImportDeps {
  readonly read: Readers<'feed'>
  readonly clock: Clock
  readonly profiles: Pick<ProfileService, 'publicUrl'>
  readonly limits: PostingLimits
}

const id = z.int().min(1)

const exportedPosts = z
  .array(
    z.object({
      id,
      body: postText,
      reply_to: id.nullable(),
      attachments: z.array(id).max(MAX_ATTACHMENTS),
      created_at: z.iso.datetime().transform((text) => new Date(text)),
    }),
  )
  .max(200_000)

type ExportedPost = z.output<typeof exportedPosts>[number]

/**
 * Imports posts with their dates, and replies to posts of the same profile. Replies to others are left out, because what they answer is
 * on the other service. Mentions become text for the same reason. The limits on links and on posts in an hour apply to archives of
 * services that are not trusted, so that an archive cannot fill the feed. No one is notified: the posts are not new.
 */
export function createPostImporter({ read, clock, profiles, limits }: PostImportDeps): ProfileImporter {
  /** Selects the posts to import, oldest first. */
  async function select(listed: readonly ExportedPost[], { accountId, isTrusted }: ImportSource) {
    const account = await read.accounts.get(accountId)
    if (!account) throw unauthenticated()
    const { linksPerPost, postsPerHour } = isTrusted
      ? { linksPerPost: Number.POSITIVE_INFINITY, postsPerHour: Number.POSITIVE_INFINITY }
      : limits.limitsOf(account)
    const isClosed = await read.feed.isPostingClosed(accountId)
    const selected = new Map<number, ExportedPost>()
    const skipped: SkippedItem[] = []
    const perHour = new Map<number, number>()

    function refuse({ reply_to, body }: ExportedPost, hour: number): string | undefined {
      if (isClosed) return postingClosed.code
      if (reply_to !== null && !selected.has(reply_to)) return 'reply_target_missing'
      const links = parsePost(body).entities.filter(({ type }) => type === 'link').length
      if (links > linksPerPost) return 'too_many_links'
      return (perHour.get(hour) ?? 0) >= postsPerHour ? 'too_many_posts' : undefined
    }

    const oldestFirst = listed.toSorted(
      (left, right) => left.created_at.getTime() - right.created_at.getTime() || left.id - right.id,
    )
    for (const post of oldestFirst) {
      const createdAt = importedTime(post.created_at, clock())
      const hour = Math.floor(createdAt.getTime() / HOUR_MS)
      const reason = refuse(post, hour)
      if (reason === undefined) {
        perHour.set(hour, (perHour.get(hour) ?? 0) + 1)
        selected.set(post.id, { ...post, created_at: createdAt })
      } else skipped.push({ member: FEED_PATH, item: String(post.id), reason })
    }
    return { posts: [...selected.values()], skipped }
  }

  async function check(source: ImportSource): Promise<ImportPart> {
    const listed = parseMember(FEED_PATH, exportedPosts, (await source.json(FEED_PATH)) ?? [])
    if (new Set(listed.map((post) => post.id)).size < listed.length) {
      throw invalidArchive({ message: `${FEED_PATH}: Contains a post twice` })
    }
    const { posts, skipped } = await select(listed, source)

    return {
      counts: { posts: posts.length },
      skipped,

      async within(tx, emit, { profile, accountId, fileIds, rewrite }) {
        if (posts.length === 0) return
        const { feed } = requireGroup(tx, 'feed')
        await feed.hold([profile.id], accountId)
        if (await feed.isPostingClosed(accountId)) throw postingClosed()
        const postIds = new Map<number, number>()
        for (const post of posts) {
          const rewritten = postText.safeParse(rewrite(post.body))
          if (!rewritten.success) throw invalidMember(`${FEED_PATH}, ${post.id}`, rewritten.error)
          const { hashtags } = parsePost(rewritten.data)
          const replyTo = post.reply_to === null ? null : (postIds.get(post.reply_to) ?? null)
          const inserted = await feed.insert({
            profileId: profile.id,
            accountId,
            body: rewritten.data,
            hashtags,
            mentions: [],
            replyTo,
            attachments: [...new Set(post.attachments)].flatMap((fileId) => fileIds.get(fileId) ?? []),
            createdAt: post.created_at,
          })
          if (inserted.outcome !== 'inserted') throw profileNotFound()
          postIds.set(post.id, inserted.id)
          const data = { ...addressOfPost(profiles, inserted.id), hashtags, mentions: [], replyTo, isNew: false }
          emit(postPublished, data, { profileId: profile.id, accountId })
        }
      },
    }
  }

  const isFeed = (path: string) => path === FEED_PATH
  return { reads: isFeed, isOptional: isFeed, check }
}
