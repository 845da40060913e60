/** The plan of an account; `tier` on the wire. */
export type Plan = 'community' | 'pro' | 'team'

/** The quotas of a plan for storage, uploads and transcription. */
export interface PlanQuota {
  readonly maxFiles: number
  readonly maxBatchFiles: number
  readonly maxBatchSizeMb: number
  readonly maxStorageMb: number
  readonly maxAudioUploadMb: number
  readonly maxVideoUploadMb: number
  readonly transcriptionMinutesPerMonth: number
  readonly maxMediaDurationMinutesPerFile: number
}

/** The limits and the commission of a plan. */
export interface PlanLimits {
  /** The display name: `Pro`. */
  readonly name: string
  /** Requests per minute of all API keys of an account. */
  readonly apiRequestsPerMinute: number
  /** The commission on sales, in basis points (hundredths of a percent). */
  readonly commissionBps: number
  /** How many event streams the account may have open at the same time. */
  readonly concurrentStreams: number
  /** How many webhooks the account may have. */
  readonly maxWebhooks: number
  /** How many memory sessions that have not expired the account may have, over all of its profiles. */
  readonly maxMemorySessions: number
  /** The maximum size of all entries in these sessions. */
  readonly maxMemoryMb: number
  /** How many posts all of its profiles may have together. */
  readonly maxPosts: number
  /** How many profiles all of its profiles may follow together. */
  readonly maxFollows: number
  /** How many members an archive that the account imports may have. */
  readonly maxArchiveMembers: number
  /** How many workspaces the account may create. */
  readonly maxWorkspaces: number
  /** How many documents a workspace of which the account is an owner may have. */
  readonly maxWorkspaceDocuments: number
  /** How many megabytes the versions of its documents and their comments may have. */
  readonly maxWorkspaceMb: number
  /** The maximum size of an uploaded file. */
  readonly maxFileMb: number
  readonly limits: PlanQuota
}

/** The changes of a host to a plan. */
export type PlanChanges = { readonly [Name in keyof Omit<PlanLimits, 'limits'>]?: PlanLimits[Name] | undefined } & {
  readonly limits?: { readonly [Limit in keyof PlanQuota]?: PlanQuota[Limit] | undefined } | undefined
}

/** Returns the limits of a plan. */
export type PlanTable = (tier: Plan) => PlanLimits

const DEFAULT_LIMITS: Readonly<Record<Plan, PlanLimits>> = {
  community: {
    name: 'Community',
    apiRequestsPerMinute: 60,
    concurrentStreams: 5,
    maxWebhooks: 50,
    maxPosts: 10_000,
    maxFollows: 5_000,
    maxArchiveMembers: 10_000,
    maxMemorySessions: 20,
    maxMemoryMb: 10,
    maxWorkspaces: 3,
    maxWorkspaceDocuments: 200,
    maxWorkspaceMb: 50,
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
    concurrentStreams: 20,
    maxWebhooks: 50,
    maxPosts: 50_000,
    maxFollows: 20_000,
    maxArchiveMembers: 50_000,
    maxMemorySessions: 500,
    maxMemoryMb: 250,
    maxWorkspaces: 20,
    maxWorkspaceDocuments: 2_000,
    maxWorkspaceMb: 1_000,
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
    concurrentStreams: 20,
    maxWebhooks: 50,
    maxPosts: 200_000,
    maxFollows: 100_000,
    maxArchiveMembers: 100_000,
    maxMemorySessions: 5_000,
    maxMemoryMb: 2_500,
    maxWorkspaces: 100,
    maxWorkspaceDocuments: 10_000,
    maxWorkspaceMb: 10_000,
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

export const PLANS = Object.keys(DEFAULT_LIMITS) as [Plan, ...Plan[]]

const changed = <Values extends object>(
  values: Values,
  changes: { readonly [Key in keyof Values]?: unknown },
): Values => ({
  ...values,
  ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
})

/** Builds the lookup of plan limits: the defaults with the changes of the host. */
export function createPlanLimits(changes: { readonly [Name in Plan]?: PlanChanges | undefined } = {}): PlanTable {
  const table = Object.fromEntries(
    PLANS.map((tier) => {
      const { limits = {}, ...others } = changes[tier] ?? {}
      return [tier, { ...changed(DEFAULT_LIMITS[tier], others), limits: changed(DEFAULT_LIMITS[tier].limits, limits) }]
    }),
  ) as Record<Plan, PlanLimits>
  return (tier) => table[tier]
}
