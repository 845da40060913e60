import type { FeedPost } from '../../ports/storage/feed.ts'
import type { StoredFile } from '../../ports/storage/files.ts'
import type { Listing } from '../../ports/storage/listings.ts'
import type { SmartSection } from '../../ports/storage/smart-sections.ts'
import type { OptionalGroup, Readers } from '../../ports/storage/storage.ts'

/** A way to receive events of profiles, as `eep.supported_delivery` of a profile names it. */
export type EventDelivery = 'sse' | 'webhook' | 'websocket'

/** What modules add to the documents of profiles, by the key of the part. */
export interface ProfilePartValues {
  /** The newest files, and those that pages show as images. */
  readonly files: { readonly newest: readonly StoredFile[]; readonly shown: readonly StoredFile[] }
  /** All services, the oldest first. */
  readonly listings: readonly Listing[]
  /** The newest posts that everyone may see. */
  readonly posts: readonly Pick<FeedPost, 'id' | 'body' | 'createdAt'>[]
  /** All sections for types of agents, also those for the team. */
  readonly sections: readonly SmartSection[]
}

export type ProfilePartKey = keyof ProfilePartValues

/**
 * What one module adds to the documents of profiles. The parts of a profile are read at the same time. A part that fails is
 * left out and the error is logged, but an unavailable storage fails the whole read.
 */
export type ProfilePart<With extends OptionalGroup = never> = {
  readonly [Key in ProfilePartKey]: {
    readonly key: Key
    /** Whether the part depends on the type of agent that reads. Profiles then accept `agent_type`. Default: false. */
    readonly dependsOnAgentType?: boolean
    load(read: Readers<With>, profileId: number): Promise<ProfilePartValues[Key]>
  }
}[ProfilePartKey]
