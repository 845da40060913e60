import type { JsonObject } from '../../kernel/json.ts'
import type { GateConfig } from '../../model/gate-config.ts'
import type { ProfileType } from '../../model/profile-type.ts'

/** The kinds of things in lists, both of which have URLs. */
export type ListedKind = 'profiles' | 'pages'

/** A profile in public lists. */
export interface ListedProfile {
  readonly id: number
  readonly type: ProfileType
  readonly username: string
  readonly fullName: string | null
  readonly bio: string | null
  readonly avatarUrl: string | null
  readonly skills: readonly string[]
  readonly typeData: JsonObject
  readonly agentInstructions: string | null
  readonly agentRules: string | null
  readonly updatedAt: Date
  readonly gates: GateConfig | null
}

/** A page in public lists: published, below public categories only, of a listed profile. */
export interface ListedPage {
  readonly id: number
  readonly profileId: number
  /** Its slugs from the top level, its own last. */
  readonly slugs: readonly string[]
  readonly title: string
  readonly excerpt: string | null
  readonly bodyBytes: number
  readonly updatedAt: Date
}

/** The body of a page, and its gates at the same moment. */
export interface ListedBody {
  readonly id: number
  readonly slugs: readonly string[]
  readonly gates: GateConfig | null
  readonly body: string
}

/** The address of a listed profile or page, and when it last changed. */
export interface ListedAddress {
  readonly id: number
  readonly type: ProfileType
  readonly username: string
  /** The slugs of a page; null for a profile. */
  readonly slugs: readonly string[] | null
  readonly updatedAt: Date
}

/** The listed items among the `size` ids starting at `part * size`, and when one of them last changed. */
export interface ListedPart {
  readonly part: number
  readonly updatedAt: Date
}

/** Which owners count. */
export interface ListedOwners {
  /** Leaves out profiles, and their pages, whose owner has no verified email address. Default: false */
  readonly verifiedOnly?: boolean | undefined
}

/**
 * The public content: public profiles that are not withdrawn and have a bio that is not blank, a published page, or a post that is not
 * hidden, and their published pages. Callers read many profiles at a
 * time and cache the result, so each method should be one query, and only `listBodies` reads bodies.
 */
export interface SiteIndexReader {
  /**
   * The parts that have listed items, in order. The part of an id never changes. The service calls it once a minute with a size of
   * 10,000: look up the latest item of each part in an index, and do not read or count all of them.
   */
  listParts(kind: ListedKind, size: number, verifiedOnly?: boolean): Promise<readonly ListedPart[]>
  /** The addresses of one part, ordered by id. */
  listAddresses(
    kind: ListedKind,
    part: ListedOwners & { readonly part: number; readonly size: number },
  ): Promise<readonly ListedAddress[]>
  /** Profiles after an id, ordered by id. Default: of all types. */
  listProfiles(
    request: ListedOwners & { readonly after: number; readonly limit: number; readonly type?: ProfileType | undefined },
  ): Promise<readonly ListedProfile[]>
  /** The profiles that were created last, newest first: by id, descending. Without those whose owner is banned. */
  listNewest(request: ListedOwners & { readonly limit: number }): Promise<readonly ListedProfile[]>
  /** At most `each` pages of each of these profiles, by profile, category (the top level first), position and id. */
  listPages(profileIds: readonly number[], each: number): Promise<readonly ListedPage[]>
  /** The first characters of the bodies of these pages, if they are still listed, and their gates at the same moment. */
  listBodies(pageIds: readonly number[], characters: number): Promise<readonly ListedBody[]>
}
