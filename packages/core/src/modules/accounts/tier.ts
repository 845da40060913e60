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
  /** How often the API keys of an account may call in a minute. */
  readonly apiRequestsPerMinute: number
  /** The share of a sale that the service keeps, in hundredths of a percent. */
  readonly commissionBps: number
  /** How large one uploaded file may be. */
  readonly maxFileMb: number
  readonly limits: TierLimits
}

const FACTS: Readonly<Record<Tier, TierFacts>> = {
  community: {
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

/** What belongs to a tier. */
export const tierFacts = (tier: Tier): TierFacts => FACTS[tier]
