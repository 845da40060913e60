import type { Holder } from '../../kernel/wallet.ts'
import type { GateConfig } from '../../model/gate-config.ts'
import type { SearchKind } from '../search-index.ts'
import type { Profile } from './profiles.ts'

/** Things that can be found, by their ids. */
export type SearchRefs = { readonly [Kind in SearchKind]?: readonly number[] | undefined }

/** Something that everybody finds in lists, as it is now. */
export interface SearchSource {
  readonly kind: SearchKind
  readonly id: number
  readonly profile: Profile
  /** What guards it; null without a gate. */
  readonly gates: GateConfig | null
  /** The slugs of a page from the top, its own last; null for others. */
  readonly slugs: readonly string[] | null
  /** The title of a page, the name of a file; null for others. */
  readonly title: string | null
  readonly excerpt: string | null
  /** The first characters of a page or of the text of a file, as Markdown, or of a post; empty for a profile. */
  readonly body: string
  readonly updatedAt: Date
}

/** Which ids of a kind to list: after one, of one profile or of all. */
export interface SearchRefRequest {
  readonly after: number
  readonly limit: number
  readonly profileId?: number | undefined
}

/** What a search index is made of. */
export interface SearchSourceReader {
  /**
   * Of these the ones that lists show now, in no order: public profiles that are neither withdrawn nor of a banned account,
   * their published pages below public categories, their posts that are not hidden, and their files. One statement.
   *
   * @param characters - how much of each body is read
   */
  listListed(refs: SearchRefs, characters: number): Promise<readonly SearchSource[]>
  /** Ids in ascending order, whether or not lists show them. */
  listIds(kind: SearchKind, request: SearchRefRequest): Promise<readonly number[]>
  /** The profiles of which an account is in the team, and those where one of the holders has an entitlement; at most `limit`. */
  listReadable(accountId: string, holders: readonly Holder[], limit: number): Promise<readonly number[]>
  /** The ids of the newest pages and files of profiles that have gates, at most `limit` of each, in no order. */
  listGuarded(
    profileIds: readonly number[],
    limit: number,
  ): Promise<{ readonly page: readonly number[]; readonly file: readonly number[] }>
}
