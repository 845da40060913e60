import type { ProfileExportFile } from '../../../framework/module/account-data.ts'
import { jsonListMember } from '../../../framework/module/export-member.ts'
import { allPages } from '../../../kernel/all-pages.ts'

export const FEED_PATH = 'feed.json'

/** The posts of a profile, newest first. Posts that administrators have hidden are left out. */
export const exportOfProfile: ProfileExportFile<'feed'>['exportOfProfile'] = ({ read }) =>
  async function* ({ profile: { id: profileId } }) {
    const query = { of: 'profile', profileId, listed: false } as const
    yield jsonListMember(FEED_PATH, async function* () {
      for await (const post of allPages((request) => read.feed.list(query, request))) {
        yield {
          id: post.id,
          body: post.body,
          reply_to: post.replyTo,
          attachments: post.attachments.map(({ id }) => id),
          counts: post.counts,
          created_at: post.createdAt.toISOString(),
        }
      }
    })
  }
