import type { AccountExportFile } from '../../../framework/module/account-data.ts'
import { jsonListMember } from '../../../framework/module/export-member.ts'
import { allPages } from '../../../kernel/all-pages.ts'
import { postPath } from '../../../model/resource-addresses.ts'

/** The posts that an account likes, without their texts, which belong to others. */
export const exportOfAccount: AccountExportFile<'feed'>['exportOfAccount'] = ({ read, publicUrl }) =>
  async function* ({ account }) {
    yield jsonListMember('feed-likes.json', async function* () {
      for await (const { postId, createdAt } of allPages((request) => read.feed.listLikes(account.id, request)))
        yield { post_id: postId, url: `${publicUrl}${postPath(postId)}`, liked_at: createdAt.toISOString() }
    })
  }
