import type { Clock } from '../../../kernel/clock.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockAdministrator } from '../../../runtime/storage/lock-caller.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { posterNotFound, postNotFound } from './errors.ts'
import { postPublished, postRemoved } from './events.ts'
import { parsePost } from './post-text.ts'
import { addressOfPost } from './serialize.ts'

export interface ModerationDeps extends GuardedStorage<'feed'> {
  readonly clock: Clock
  readonly profiles: Pick<ProfileService, 'publicUrl'>
}

const targetOf = (postId: number) => `posts/${postId}`

interface Deletion {
  readonly id: number
  readonly wasHidden: boolean
  readonly caller: Caller
  readonly at: Date
}

/** Records that an administrator deleted a post. */
export async function recordDeletion(tx: Stores, { id, wasHidden, caller, at }: Deletion): Promise<void> {
  await tx.audit?.append({
    actorAccountId: caller.account.id,
    action: 'post.deleted',
    target: targetOf(id),
    before: { hidden: wasHidden },
    after: {},
    at,
  })
}

/** Creates the moderation of posts. Each change is recorded in the audit log. */
export function createModerationService({ write, clock, profiles }: ModerationDeps) {
  return {
    /**
     * Hides a post from everyone, or shows it again. Does nothing when the post is already in that state.
     *
     * @throws `post_not_found`; `forbidden` when the caller has lost
     *   administrator rights, `unauthenticated` when the session has ended
     */
    async setHidden(id: number, hidden: boolean, caller: Caller): Promise<void> {
      await write(async (tx, emit) => {
        const account = await lockAdministrator(tx, caller)
        const at = clock()
        const changed = await tx.feed.setHidden(id, hidden ? at : null)
        if (!changed) throw postNotFound()
        if (!changed.isChanged) return
        await tx.audit?.append({
          actorAccountId: account.id,
          action: hidden ? 'post.hidden' : 'post.shown',
          target: targetOf(id),
          before: { hidden: !hidden },
          after: { hidden },
          at,
        })
        const address = addressOfPost(profiles, id)
        const origin = { profileId: changed.profileId, accountId: account.id }
        const post = hidden ? undefined : await tx.feed.get(id)
        if (!post) return emit(postRemoved, address, origin)
        const { hashtags } = parsePost(post.body)
        const mentions = [...new Set(post.mentions.map(({ profile }) => profile.id))]
        emit(postPublished, { ...address, hashtags, mentions, replyTo: post.replyTo, isNew: false }, origin)
      })
    },

    /**
     * Suspends or restores posting for an account in all of its profiles. Does nothing when the account is already in that state.
     *
     * @throws `poster_not_found`; `forbidden` when the caller has lost
     *   administrator rights, `unauthenticated` when the session has ended
     */
    async setPosting(accountId: string, open: boolean, caller: Caller): Promise<void> {
      await write(async (tx) => {
        const account = await lockAdministrator(tx, caller)
        const at = clock()
        const isChanged = await tx.feed.setPostingClosed(accountId, open ? null : at)
        if (isChanged === undefined) throw posterNotFound()
        if (!isChanged) return
        await tx.audit?.append({
          actorAccountId: account.id,
          action: open ? 'posting.opened' : 'posting.closed',
          target: `accounts/${accountId}`,
          before: { posting: !open },
          after: { posting: open },
          at,
        })
      })
    },
  }
}

/** Moderation of posts by administrators. */
export type ModerationService = ReturnType<typeof createModerationService>
