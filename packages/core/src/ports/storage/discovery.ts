import type { JsonObject } from '../../kernel/json.ts'
import type { GateConfig } from '../../model/gate-config.ts'
import type { ProfileType } from '../../model/profile-type.ts'

/** Both profiles and pages have URLs. */
export type ListedKind = 'profiles' | 'pages'

/** A profile that everybody finds in lists. */
export interface ListedProfile {
  readonly id: number
  readonly type: ProfileType
  readonly username: string
  readonly fullName: string | null
  readonly bio: string | null
  readonly skills: readonly string[]
  readonly typeData: JsonObject
  readonly agentInstructions: string | null
  readonly agentRules: string | null
  readonly updatedAt: Date
  readonly gates: GateConfig | null
}

/** A page that everybody finds in lists: published, below public categories only, of a profile that is listed. */
export interface ListedPage {
  readonly id: number
  readonly profileId: number
  /** Its slugs from the top, its own last. */
  readonly slugs: readonly string[]
  readonly title: string
  readonly excerpt: string | null
  readonly bodyBytes: number
  readonly updatedAt: Date
}

/** What a page said, together with what guarded it at that same moment. */
export interface ListedBody {
  readonly id: number
  readonly slugs: readonly string[]
  readonly gates: GateConfig | null
  readonly body: string
}

/** Where something listed is, and since when it says what it says. */
export interface ListedAddress {
  readonly id: number
  readonly type: ProfileType
  readonly username: string
  /** The slugs of a page; null for a profile. */
  readonly slugs: readonly string[] | null
  readonly updatedAt: Date
}

/** How much is listed among the ids from `part * size` on, `size` of them; parts without anything are left out. */
export interface ListedPart {
  readonly part: number
  readonly count: number
  readonly updatedAt: Date
}

/**
 * The public content: public profiles that are not withdrawn, and their published pages. Callers read many profiles at
 * a time and cache the result, so each method is one query, and none reads a body unasked.
 */
export interface SiteIndexReader {
  /** Where how much is, by part. The parts of an id never change. */
  measure(kind: ListedKind, size: number): Promise<readonly ListedPart[]>
  /** The addresses of one part, by id. */
  listAddresses(
    kind: ListedKind,
    part: { readonly part: number; readonly size: number },
  ): Promise<readonly ListedAddress[]>
  /** Profiles after an id, by id. */
  listProfiles(request: { readonly after: number; readonly limit: number }): Promise<readonly ListedProfile[]>
  /** At most `each` pages of each of these profiles, by profile, category (the top first), position and id. */
  listPages(profileIds: readonly number[], each: number): Promise<readonly ListedPage[]>
  /** The first characters of what these pages say, of those that are still listed; with their gates, of one moment. */
  listBodies(pageIds: readonly number[], characters: number): Promise<readonly ListedBody[]>
}
