import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { importedTime } from '../../../framework/module/imported-times.ts'
import { invalidMember, parseList } from '../../../framework/module/parse-member.ts'
import {
  type ImportPart,
  type ImportSource,
  type ImportTarget,
  importBatches,
  type ProfileImporter,
  type SkippedItem,
} from '../../../framework/module/profile-import.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { unauthenticated } from '../../../kernel/errors.ts'
import { BLANK } from '../../../kernel/text-fields.ts'
import type { PlanTable } from '../../../model/plan.ts'
import { invalidArchive } from '../../../ports/archive-format.ts'
import type { ImportedPost } from '../../../ports/storage/feed.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { profileNotFound } from '../../profiles/profiles/index.ts'
import { countLinks } from './count-links.ts'
import { postingClosed, postLimitReached, tooManyLinks } from './errors.ts'
import { postsImported } from './events.ts'
import { FEED_PATH } from './export-posts.ts'
import { parsePost } from './post-text.ts'
import type { PostingLimits } from './posting-limits.ts'
import { MAX_ATTACHMENTS, postText, saysSomething } from './schemas.ts'

export interface PostImportDeps {
  readonly read: Readers<'feed'>
  readonly clock: Clock
  readonly limits: PostingLimits
  readonly planLimits: PlanTable
}

const MAX_POSTS = 200_000
const id = z.int().min(1)

const exportedPost = z
  .object({
    id,
    body: postText,
    reply_to: id.nullable(),
    attachments: z.array(id).max(MAX_ATTACHMENTS),
    created_at: z.iso.datetime().transform((text) => new Date(text)),
  })
  .refine(saysSomething, { path: ['body'], message: BLANK })

type ExportedPost = z.output<typeof exportedPost>

/**
 * Imports posts with their dates, and replies to posts of the same profile. Replies to others are left out, because what they answer is
 * on the other service. Mentions become text for the same reason. Posts that exceed the plan are left out, newer ones first, and
 * so are posts with many links in archives of services that are not trusted. No one is notified: the posts are not new.
 */
export function createPostImporter({ read, clock, limits, planLimits }: PostImportDeps): ProfileImporter {
  /** Selects the posts to import, oldest first. */
  async function select(listed: readonly ExportedPost[], { accountId, isTrusted }: ImportSource) {
    const account = await read.accounts.get(accountId)
    if (!account) throw unauthenticated()
    const linksPerPost = isTrusted ? Number.POSITIVE_INFINITY : limits.linksPerPostOf(account)
    const room = planLimits(account.tier).maxPosts - (await read.feed.countOfAccount(accountId))
    const isClosed = await read.feed.isPostingClosed(accountId)
    const selected = new Map<number, ExportedPost>()
    const skipped: SkippedItem[] = []

    function refuse({ reply_to, body }: ExportedPost): string | undefined {
      if (isClosed) return postingClosed.code
      if (reply_to !== null && !selected.has(reply_to)) return 'reply_target_missing'
      if (selected.size >= room) return postLimitReached.code
      return linksPerPost < Number.POSITIVE_INFINITY && countLinks(body) > linksPerPost ? tooManyLinks.code : undefined
    }

    const oldestFirst = listed.toSorted(
      (left, right) => left.created_at.getTime() - right.created_at.getTime() || left.id - right.id,
    )
    for (const batch of importBatches(oldestFirst)) {
      await setImmediate()
      for (const post of batch) {
        const reason = refuse(post)
        if (reason === undefined) selected.set(post.id, { ...post, created_at: importedTime(post.created_at, clock()) })
        else skipped.push({ member: FEED_PATH, item: String(post.id), reason })
      }
    }
    return { posts: [...selected.values()], skipped }
  }

  async function check(source: ImportSource): Promise<ImportPart> {
    const listed = await parseList(FEED_PATH, exportedPost, (await source.json(FEED_PATH)) ?? [], MAX_POSTS)
    if (new Set(listed.map((post) => post.id)).size < listed.length) {
      throw invalidArchive({ message: `${FEED_PATH}: Contains a post twice` })
    }
    const { posts, skipped } = await select(listed, source)

    /** The posts of one transaction as they are stored. `postIds` has those of the earlier ones. */
    function restored(batch: readonly ExportedPost[], postIds: ReadonlyMap<number, number>, target: ImportTarget) {
      const places = new Map(batch.map((post, index) => [post.id, index]))
      return batch.map((post): ImportedPost => {
        const rewritten = postText.safeParse(target.rewrite(post.body))
        if (!rewritten.success) throw invalidMember(`${FEED_PATH}, ${post.id}`, rewritten.error)
        const earlier = post.reply_to === null ? undefined : postIds.get(post.reply_to)
        const index = post.reply_to === null ? undefined : places.get(post.reply_to)
        return {
          body: rewritten.data,
          hashtags: parsePost(rewritten.data).hashtags,
          replyTo: earlier !== undefined ? { id: earlier } : index === undefined ? null : { index },
          attachments: [...new Set(post.attachments)].flatMap((fileId) => target.fileIds.get(fileId) ?? []),
          createdAt: post.created_at,
        }
      })
    }

    return {
      counts: { posts: posts.length },
      skipped,

      async *store(target) {
        const { id: profileId } = target.profile
        const { accountId } = target
        const postIds = new Map<number, number>()
        for (const batch of importBatches(posts)) {
          await setImmediate()
          const stored = restored(batch, postIds, target)
          yield async (tx, emit) => {
            const { feed } = requireGroup(tx, 'feed')
            await feed.hold([profileId], accountId)
            if (await feed.isPostingClosed(accountId)) throw postingClosed()
            const ids = await feed.insertAll(stored, { profileId, accountId })
            if (!ids) throw profileNotFound()
            for (const [index, post] of batch.entries()) postIds.set(post.id, ids[index] ?? 0)
            emit(postsImported, { postIds: ids }, { profileId, accountId })
          }
        }
      },
    }
  }

  const isFeed = (path: string) => path === FEED_PATH
  return { reads: isFeed, isOptional: isFeed, check }
}
