import type { Readers } from '../../../ports/storage/storage.ts'
import type { ReadCache } from '../../../runtime/storage/read-cache.ts'

export interface SignalPostDeps {
  readonly read: Pick<Readers<'feed'>, 'feed'>
  readonly cache: ReadCache
}

/** Looks up posts that events refer to. */
export function createSignalPosts({ read, cache }: SignalPostDeps) {
  return {
    /** Whether a post exists and is not hidden. Its profile is not checked. */
    exists: async (postId: number): Promise<boolean> =>
      cache.get(`signal-post:${postId}`, async () => {
        const post = await read.feed.get(postId)
        return { value: post !== undefined, profileId: post?.profile.id }
      }),
  }
}
