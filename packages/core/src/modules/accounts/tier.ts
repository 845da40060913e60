import type { Tier } from './store.ts'

/** How much an account of a tier may keep, send and have transcribed. */
export interface TierLimits {
  readonly maxFiles: number
  readonly maxBatchFiles: number
  readonly maxBatchSizeMb: number
  readonly maxStorageMb: number
  readonly maxAudioUploadMb: number
  readonly maxVideoUploadMb: number
  readonly transcriptionMinutesPerMonth: number
  readonly maxMediaDurationMinutesPerFile: number
}

/** What a tier means to the rest of the service. */
export interface TierFacts {
  /** As people read it: `Pro`. */
  readonly name: string
  /** How often the API keys of an account may call in a minute. */
  readonly apiRequestsPerMinute: number
  /** The share of a sale that the service keeps, in hundredths of a percent. */
  readonly commissionBps: number
  /** How large one uploaded file may be. */
  readonly maxFileMb: number
  readonly limits: TierLimits
}

/** What a host decides otherwise of a tier. */
export type TierChanges = { readonly [Fact in keyof Omit<TierFacts, 'limits'>]?: TierFacts[Fact] | undefined } & {
  readonly limits?: { readonly [Limit in keyof TierLimits]?: TierLimits[Limit] | undefined } | undefined
}

/** Tells what belongs to a tier. */
export type TierTable = (tier: Tier) => TierFacts

const FACTS: Readonly<Record<Tier, TierFacts>> = {
  community: {
    name: 'Community',
    apiRequestsPerMinute: 60,
    commissionBps: 1_000,
    maxFileMb: 5,
    limits: {
      maxFiles: 50,
      maxBatchFiles: 5,
      maxBatchSizeMb: 20,
      maxStorageMb: 250,
      maxAudioUploadMb: 25,
      maxVideoUploadMb: 50,
      transcriptionMinutesPerMonth: 30,
      maxMediaDurationMinutesPerFile: 15,
    },
  },
  pro: {
    name: 'Pro',
    apiRequestsPerMinute: 300,
    commissionBps: 500,
    maxFileMb: 25,
    limits: {
      maxFiles: 1_000,
      maxBatchFiles: 20,
      maxBatchSizeMb: 200,
      maxStorageMb: 10_240,
      maxAudioUploadMb: 100,
      maxVideoUploadMb: 500,
      transcriptionMinutesPerMonth: 300,
      maxMediaDurationMinutesPerFile: 60,
    },
  },
  team: {
    name: 'Team',
    apiRequestsPerMinute: 1_000,
    commissionBps: 200,
    maxFileMb: 100,
    limits: {
      maxFiles: 10_000,
      maxBatchFiles: 50,
      maxBatchSizeMb: 1_000,
      maxStorageMb: 102_400,
      maxAudioUploadMb: 250,
      maxVideoUploadMb: 1_024,
      transcriptionMinutesPerMonth: 1_500,
      maxMediaDurationMinutesPerFile: 180,
    },
  },
}

export const TIERS = Object.keys(FACTS) as [Tier, ...Tier[]]

const changed = <Facts extends object>(facts: Facts, changes: { readonly [Key in keyof Facts]?: unknown }): Facts => ({
  ...facts,
  ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
})

/** What belongs to each tier, with what a host decides otherwise. */
export function createTierTable(changes: { readonly [Name in Tier]?: TierChanges | undefined } = {}): TierTable {
  const table = Object.fromEntries(
    TIERS.map((tier) => {
      const { limits = {}, ...facts } = changes[tier] ?? {}
      return [tier, { ...changed(FACTS[tier], facts), limits: changed(FACTS[tier].limits, limits) }]
    }),
  ) as Record<Tier, TierFacts>
  return (tier) => table[tier]
}
