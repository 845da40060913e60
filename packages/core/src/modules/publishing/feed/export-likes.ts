import { type AccountExporter, jsonListMember } from '../../../framework/module/export-member.ts'
import { allPages } from '../../../kernel/all-pages.ts'
import { postPath } from '../../../model/resource-addresses.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'

/** The posts that an account likes, without their texts, which belong to others. */
export const createLikeExporter = (
  read: Readers<'feed'>,
  { publicUrl }: Pick<ProfileService, 'publicUrl'>,
): AccountExporter =>
  async function* ({ account }) {
    yield jsonListMember('feed-likes.json', async function* () {
      for await (const { postId, createdAt } of allPages((request) => read.feed.listLikes(account.id, request)))
        yield { post_id: postId, url: `${publicUrl}${postPath(postId)}`, liked_at: createdAt.toISOString() }
    })
  }
