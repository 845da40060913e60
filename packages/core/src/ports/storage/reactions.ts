import type { Page as ListPage } from '../../kernel/page.ts'
import type { PageOutline } from './content.ts'
import type { ErasedAccount } from './erasure.ts'
import type { Profile } from './profiles.ts'

/** A kind of reaction to a page. */
export type ReactionKind = 'like' | 'bookmark'

/** The number of reactions of each kind to a page, and the reactions of one account. */
export interface ReactionState {
  readonly counts: Readonly<Record<ReactionKind, number>>
  readonly mine: Readonly<Record<ReactionKind, boolean>>
}

/** A reaction of an account, and the page it is to. */
export interface Reaction {
  readonly kind: ReactionKind
  readonly createdAt: Date
  readonly page: PageOutline
  readonly profile: Pick<Profile, 'id' | 'type' | 'username'>
}

/** Which reactions of an account to list. */
export interface ReactionRequest {
  readonly kind: ReactionKind
  /** How many to skip. Default: 0. */
  readonly offset?: number | undefined
  /**
   * The reaction after which the list continues; reactions that are removed meanwhile move nothing. Default: from the newest.
   * `total` always counts the whole list.
   */
  readonly after?: { readonly createdAt: Date; readonly pageId: number } | undefined
  readonly limit: number
  /** The profiles whose drafts and private content the account may see. */
  readonly insiderOf: readonly number[]
}

/** Reactions of accounts to pages, for reading. */
export interface ReactionReader {
  /**
   * The state of a page for an account, or without own reactions when the account is undefined. Zero for a page that
   * does not exist.
   */
  getState(pageId: number, accountId: string | undefined): Promise<ReactionState>
  /**
   * The reactions of an account, newest first, then by descending page id: those to pages that are published, in public categories only and of a
   * profile that is not private, and those to any page of the named profiles. Those to withdrawn profiles are always left out.
   */
  listOfAccount(accountId: string, request: ReactionRequest): Promise<Omit<ListPage<Reaction>, 'nextCursor'>>
}

/** Reactions of accounts to pages. */
export interface ReactionStore extends ReactionReader {
  /**
   * Adds a reaction, or removes it if it exists, and returns the new state. With `wanted`, nothing changes when it exists (true) or is
   * missing (false) already. Concurrent reactions of one kind to a page wait for each other, so that no update is lost. `undefined` when
   * the page or the account does not exist.
   */
  toggle(reaction: {
    readonly pageId: number
    readonly accountId: string
    readonly kind: ReactionKind
    readonly at: Date
    /** Whether it exists afterwards. Default: the opposite of before. */
    readonly wanted?: boolean | undefined
  }): Promise<(ReactionState & { readonly present: boolean; readonly isChanged: boolean }) | undefined>
  /** Deletes the reactions of an account, and subtracts them from the counts. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
