import type { Page, PageRequest } from '../../kernel/page.ts'
import type { GateConfig } from '../../model/gate-config.ts'

/** Maps DIDs of this service in a configuration to the ids of the profiles they named when they were added. */
export type BoundDids = Readonly<Record<string, number>>

/** The gate configuration of a profile. */
export interface Gate {
  readonly profileId: number
  readonly config: GateConfig
  readonly boundDids: BoundDids
  /** 1 when first written, incremented by each change. */
  readonly version: number
  readonly updatedAt: Date
}

/** A version of a gate configuration, without the configuration. */
export interface GateVersionSummary {
  readonly profileId: number
  readonly version: number
  /** The size of the configuration as JSON. */
  readonly bytes: number
  /** The account that wrote it; null once the account is erased, and for versions from before this was recorded. */
  readonly changedBy: string | null
  readonly changedAt: Date
}

/** A version of a gate configuration. */
export interface GateVersion extends GateVersionSummary {
  readonly config: GateConfig
}

/** The gate configurations of profiles, for reading. */
export interface GateReader {
  /** Returns the current gate configuration of a profile; undefined when it has none. */
  get(profileId: number): Promise<Gate | undefined>
}

/** The gate configurations of profiles. */
export interface GateStore extends GateReader {
  /** Writes the configuration of a profile, increments its version, and stores the version. */
  put(gate: {
    readonly profileId: number
    readonly config: GateConfig
    /** The account that writes it. */
    readonly changedBy: string
    readonly updatedAt: Date
    /** Default: none. */
    readonly boundDids?: BoundDids | undefined
  }): Promise<Gate>
}

/** The versions of gate configurations, for reading. */
export interface GateVersionReader {
  /** The stored versions without their configurations, newest first. */
  list(profileId: number, page: PageRequest): Promise<Page<GateVersionSummary>>
  /** One version; `undefined` when it does not exist or is no longer stored. */
  get(profileId: number, version: number): Promise<GateVersion | undefined>
}

/** The versions of gate configurations. */
export interface GateVersionStore extends GateVersionReader {
  /** Deletes all but the newest `kept` versions, and returns how many. The current one is always kept. */
  prune(profileId: number, kept: number): Promise<number>
}
