import type { Caller } from '../../../model/caller.ts'
import type { ReactionKind, ReactionState } from '../../../ports/storage/reactions.ts'
import type { NumberedRequest, PlacedReaction } from './service.ts'

/** The methods of `app.eep.reactions`. */
export interface ReactionsApi {
  /**
   * Returns how often a page was liked and bookmarked, and the reactions of the caller. Gates do not apply.
   *
   * @throws `page_not_found` also for pages that are hidden from the caller
   */
  state(pageId: number, caller?: Caller, key?: string): Promise<ReactionState>
  /**
   * Adds a reaction of the caller, or removes it when it exists. Concurrent calls are applied one after another.
   *
   * @param wanted - Whether the reaction exists afterwards; nothing changes when that is so already. Default: the opposite of before.
   *
   * @throws `page_not_found`
   */
  toggle(
    pageId: number,
    kind: ReactionKind,
    caller: Caller,
    key?: string,
    wanted?: boolean,
  ): Promise<ReactionState & { present: boolean }>
  /** Returns the pages that the caller liked or bookmarked and may still see, latest reaction first. */
  listOfCaller(
    kind: ReactionKind,
    request: NumberedRequest,
    caller: Caller,
  ): Promise<{ items: readonly PlacedReaction[]; total: number }>
}
