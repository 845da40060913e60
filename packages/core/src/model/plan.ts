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

/**
 * The limits that modules of hosts add to plans. Extend it by declaration merging.
 *
 * @example
 * declare module '@eep/core' {
 *   interface EepPlanLimits {
 *     'quotes.stored': number
 *   }
 * }
 */
// biome-ignore lint/suspicious/noEmptyInterface: hosts merge into it
export interface EepPlanLimits {}

/** The limits and the commission of a plan. Those of modules that are off are 0. */
export interface PlanLimits extends EepPlanLimits {
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

/** The changes of a host to plans. */
export type PlansChanges = { readonly [Name in Plan]?: PlanChanges | undefined }

/** Returns the limits of a plan. */
export type PlanTable = (tier: Plan) => PlanLimits

/** A limit of an account: its value in each plan, and what a host may change it to. */
export interface PlanLimit extends Readonly<Record<Plan, number>> {
  /** Default: 0. */
  readonly min?: number | undefined
  /** Default: 1,000,000,000. */
  readonly max?: number | undefined
}

/** Limits by their names. */
export type DeclaredPlanLimits = Readonly<Record<string, PlanLimit>>

/** The limits of the modules that every service has, by the module. */
export const BASE_PLAN_LIMITS = {
  'api-keys': { apiRequestsPerMinute: { community: 60, pro: 300, team: 1_000, min: 1 } },
  paywall: { commissionBps: { community: 1_000, pro: 500, team: 200, max: 10_000 } },
  connections: { maxFollows: { community: 5_000, pro: 20_000, team: 100_000 } },
  profiles: { maxStorageMb: { community: 250, pro: 10_240, team: 102_400 } },
} as const satisfies Readonly<Record<string, DeclaredPlanLimits>>

const NAMES: Readonly<Record<Plan, string>> = { community: 'Community', pro: 'Pro', team: 'Team' }

/** The plans, the smallest first. */
export const PLANS = Object.keys(NAMES) as [Plan, ...Plan[]]

/** The members that the limits of a plan always have, in the order of the contract. */
const NAMED = [
  'apiRequestsPerMinute',
  'concurrentStreams',
  'maxWebhooks',
  'maxPosts',
  'maxFollows',
  'maxArchiveMembers',
  'maxMemorySessions',
  'maxMemoryMb',
  'maxWorkspaces',
  'maxWorkspaceDocuments',
  'maxWorkspaceMb',
  'commissionBps',
  'maxFileMb',
] as const satisfies readonly Exclude<keyof PlanLimits, 'name' | 'limits'>[]

const QUOTAS = [
  'maxFiles',
  'maxBatchFiles',
  'maxBatchSizeMb',
  'maxStorageMb',
  'maxAudioUploadMb',
  'maxVideoUploadMb',
  'transcriptionMinutesPerMonth',
  'maxMediaDurationMinutesPerFile',
] as const satisfies readonly (keyof PlanQuota)[]

/** Whether a limit is in `limits` of the plan. */
export const isQuota = (name: string): name is keyof PlanQuota => (QUOTAS as readonly string[]).includes(name)

/** A module with the limits that it declares. */
export interface LimitingModule {
  readonly planLimits: DeclaredPlanLimits
}

/** Joins the limits of modules with those that every service has. */
export const joinPlanLimits = (modules: readonly LimitingModule[]): ReadonlyMap<string, PlanLimit> =>
  new Map(
    [...Object.values<DeclaredPlanLimits>(BASE_PLAN_LIMITS), ...modules.map(({ planLimits }) => planLimits)].flatMap(
      (limits) => Object.entries(limits),
    ),
  )

/**
 * Builds the lookup of plan limits: the declared ones with the changes of the host. A limit of the contract that is not declared
 * is 0, whatever the host has set.
 *
 * @param declared - the limits of the modules that are on
 */
export function createPlanLimits(declared: ReadonlyMap<string, PlanLimit>, changes: PlansChanges = {}): PlanTable {
  const limitsOf = (tier: Plan): PlanLimits => {
    const { limits: quotaChanges, name = NAMES[tier], ...others } = changes[tier] ?? {}
    const changed: Readonly<Record<string, unknown>> = { ...others, ...quotaChanges }
    const amountOf = (limit: string) => {
      const plan = declared.get(limit)
      return plan === undefined ? 0 : (changed[limit] ?? plan[tier])
    }
    const ofHosts = [...declared.keys()].filter((limit) => !isQuota(limit))
    const members = [...new Set<string>([...NAMED, ...ofHosts])].map((limit) => [limit, amountOf(limit)])
    const limits = Object.fromEntries(QUOTAS.map((limit) => [limit, amountOf(limit)]))
    // Every named member is in the lists.
    return { name, ...Object.fromEntries(members), limits } as PlanLimits
  }
  const table = Object.fromEntries(PLANS.map((tier) => [tier, limitsOf(tier)])) as Readonly<Record<Plan, PlanLimits>>
  return (tier) => table[tier]
}
