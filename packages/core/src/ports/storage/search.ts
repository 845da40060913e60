import type { Holder } from '../../kernel/wallet.ts'
import type { GateConfig } from '../../model/gate-config.ts'
import type { Level } from '../../model/trust-score.ts'
import type { SearchKind } from '../search-index.ts'
import type { Profile } from './profiles.ts'

/** The items that can be found, by their ids. */
export type SearchRefs = { readonly [Kind in SearchKind]?: readonly number[] | undefined }

/** An item that is visible in lists, in its current state. */
export interface SearchSource {
  readonly kind: SearchKind
  readonly id: number
  readonly profile: Profile
  /** The trust level that was last observed of the profile; `low` before the first one and without the group `trustLevels`. */
  readonly trustLevel: Level
  /** Whether its profile has a bio that is not blank, a published page, or a post that is not hidden. */
  readonly profileHasContent: boolean
  /** Whether the owner of its profile has a verified email address. */
  readonly ownerIsVerified: boolean
  /** Its gate; null without one. */
  readonly gates: GateConfig | null
  /** The slugs of a page from the top, its own last; null for others. */
  readonly slugs: readonly string[] | null
  /** The title of a page, the name of a file; null for others. */
  readonly title: string | null
  readonly excerpt: string | null
  /** The first characters of a page or of the text of a file, as Markdown, or of a post; empty for a profile. */
  readonly body: string
  /** The encoding of a file, as `StoredFile.encoding`; null for others. */
  readonly encoding: string | null
  readonly updatedAt: Date
}

/** Which ids of a kind to list: after one, of one profile or of all. */
export interface SearchRefRequest {
  readonly after: number
  readonly limit: number
  readonly profileId?: number | undefined
}

/** Which pages and files of profiles with gates to list. */
export interface GuardedRequest {
  /** The maximum number of pages, and of files. */
  readonly limit: number
  /** Lists only lower ids of each kind. */
  readonly before: Readonly<Record<'page' | 'file', number>>
}

/** The sources of a search index. */
export interface SearchSourceReader {
  /**
   * Returns those of these items that are visible in lists now, in any order: public profiles that are neither
   * withdrawn nor of a banned account, their published pages below public categories, their posts that are not hidden,
   * and their files. One statement.
   *
   * @param characters - how much of each body is read
   */
  listListed(refs: SearchRefs, characters: number): Promise<readonly SearchSource[]>
  /** Ids in ascending order, whether or not the items are visible in lists. */
  listIds(kind: SearchKind, request: SearchRefRequest): Promise<readonly number[]>
  /**
   * The profiles whose team an account is in, and those where one of the holders has an entitlement; at most `limit`.
   */
  listReadable(accountId: string, holders: readonly Holder[], limit: number): Promise<readonly number[]>
  /** Returns the ids of published pages and of files, newest first, of those given profiles that have gates. One statement. */
  listGuarded(
    profileIds: readonly number[],
    request: GuardedRequest,
  ): Promise<Readonly<Record<'page' | 'file', readonly number[]>>>
}
