import type { AgentType } from '../../model/agent-type.ts'
import type { GateConfig } from '../../model/gate-config.ts'

/** A section of a profile for some types of agents. */
export interface SmartSection {
  /** Unique in its profile. */
  readonly key: string
  readonly title: string
  readonly body: string
  readonly agentTypes: readonly AgentType[]
  /** Sections are shown in ascending order. */
  readonly position: number
  /** `team` sections are visible to the team of the profile only. */
  readonly visibility: 'public' | 'team'
}

/** The sections of a profile. */
export interface SmartSections {
  readonly profileId: number
  /** In the order in which they were stored. */
  readonly sections: readonly SmartSection[]
  /** 1 for the first sections of a profile, and one more with each change. */
  readonly version: number
  readonly updatedAt: Date
}

/** The sections of a profile in lists, and its gates at the same moment. */
export interface ListedSections {
  readonly sections: readonly SmartSection[]
  readonly gates: GateConfig | null
}

/** Reads the sections of profiles. */
export interface SmartSectionReader {
  /** The sections of a profile; undefined when none were ever stored. */
  get(profileId: number): Promise<SmartSections | undefined>
  /** The sections of several profiles and their gates at the same moment, by their ids. Profiles without sections are left out. */
  listOfProfiles(profileIds: readonly number[]): Promise<ReadonlyMap<number, ListedSections>>
}

/** Stores the sections of profiles. They are deleted with their profile. */
export interface SmartSectionStore extends SmartSectionReader {
  /**
   * Replaces all sections of a profile and counts the version. Concurrent calls wait for each other, so each gets a separate
   * version. Returns `undefined` when the profile does not exist.
   */
  put(change: Omit<SmartSections, 'version'>): Promise<SmartSections | undefined>
}
