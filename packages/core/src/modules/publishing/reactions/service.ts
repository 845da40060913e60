import type { Clock } from '../../../kernel/clock.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Reaction, ReactionKind, ReactionState } from '../../../ports/storage/reactions.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { isReachedBy, listProfilesOfAccount } from '../../profiles/profiles/index.ts'
import { type ContentService, pageNotFound, slugsTo } from '../content/index.ts'
import { reactionAdded, reactionRemoved } from './events.ts'

export interface ReactionDeps extends GuardedStorage<'reactions'> {
  readonly clock: Clock
  readonly content: Pick<ContentService, 'known'>
}

/** A reaction and the slugs of its page from the top level. */
export interface PlacedReaction extends Reaction {
  readonly slugs: readonly string[]
}

/** A numbered page of a list, from 1. */
export interface NumberedRequest {
  readonly page: number
  readonly limit: number
}

/** The maximum number of profiles of an account whose drafts are listed among its reactions. */
const MAX_TEAMS = 1_000

export function createReactionService({ read, write, clock, content }: ReactionDeps) {
  return {
    async state(pageId: number, caller?: Caller | undefined, key?: string | undefined): Promise<ReactionState> {
      await content.known(pageId, caller, key)
      return read.reactions.getState(pageId, caller?.account.id)
    },

    async toggle(
      pageId: number,
      kind: ReactionKind,
      caller: Caller,
      key?: string | undefined,
      wanted?: boolean | undefined,
    ): Promise<ReactionState & { present: boolean }> {
      const { profile } = await content.known(pageId, caller, key)
      const accountId = caller.account.id
      return write(async (tx, emit) => {
        const state = await tx.reactions.toggle({ pageId, accountId, kind, at: clock(), wanted })
        if (!state) throw pageNotFound()
        const type = state.present ? reactionAdded : reactionRemoved
        if (state.isChanged) emit(type, { kind, pageId, ofProfileId: profile.id }, { accountId })
        return state
      })
    },

    async listOfCaller(
      kind: ReactionKind,
      { page, limit }: NumberedRequest,
      caller: Caller,
    ): Promise<{ items: readonly PlacedReaction[]; total: number }> {
      const accountId = caller.account.id
      const { items: teams } = await listProfilesOfAccount(read, accountId, { limit: MAX_TEAMS })
      const insiderOf = teams.flatMap(({ profile }) => (isReachedBy(caller, profile) ? [profile.id] : []))
      const request = { kind, offset: (page - 1) * limit, limit, insiderOf }
      const { items, total } = await read.reactions.listOfAccount(accountId, request)
      const slugs = await slugsTo(
        read,
        items.map((reaction) => reaction.page),
      )
      return { items: items.map((reaction) => ({ ...reaction, slugs: slugs(reaction.page) })), total }
    },
  }
}

/** Reactions to pages. */
export type ReactionService = ReturnType<typeof createReactionService>
