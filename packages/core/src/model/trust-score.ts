import { DAY_MS } from '../kernel/durations.ts'

/** The signals of an account and its profile. */
export interface ProfileTrustInput {
  readonly emailVerified: boolean
  readonly walletLinked: boolean
  /** Whether its owner has linked a sign-in provider. */
  readonly providerLinked: boolean
  readonly accountCreatedAt: Date
  /** Whether all fields of a complete profile are set. */
  readonly profileComplete: boolean
  /** Whether it has paid another account. */
  readonly hasPaid: boolean
}

/** What the records of an account prove, for the trust in its profiles. */
export type AccountProofs = Omit<ProfileTrustInput, 'profileComplete'>

/** The signals of an agent that signs. */
export interface AgentTrustInput {
  readonly did: string
  readonly hasPaid: boolean
}

export const PROFILE_WEIGHTS = {
  email_verified: 20,
  wallet_linked: 15,
  provider_linked: 10,
  account_age_30d: 10,
  account_age_365d: 10,
  profile_complete: 15,
  has_paid: 20,
} as const

/** @internal */
export const AGENT_WEIGHTS = { did_verified: 40, did_web: 25, has_paid: 35 } as const

export type ProfileSignal = keyof typeof PROFILE_WEIGHTS

/** The levels, and the lowest score of each. */
export const LEVELS = { low: 0, basic: 20, established: 50, high: 80 } as const
/** The trust in a profile or an agent, as a level. */
export type Level = keyof typeof LEVELS

/** A signal, and whether it is present. */
export interface Signal<Name extends string = string> {
  readonly signal: Name
  readonly weight: number
  readonly met: boolean
}

/** A score of 0 to 100, and the signals it is computed from. */
export interface TrustScore<Name extends string = string> {
  readonly score: number
  readonly level: Level
  readonly signals: readonly Signal<Name>[]
}

const levelOf = (score: number): Level =>
  (Object.keys(LEVELS) as Level[]).findLast((level) => score >= LEVELS[level]) ?? 'low'

function scoreOf<Name extends string>(
  weights: Readonly<Record<Name, number>>,
  met: Readonly<Record<Name, boolean>>,
): TrustScore<Name> {
  const signals = (Object.keys(weights) as Name[]).map((signal) => ({
    signal,
    weight: weights[signal],
    met: met[signal],
  }))
  const score = signals.reduce((sum, { weight, met: counts }) => sum + (counts ? weight : 0), 0)
  return { score, level: levelOf(score), signals }
}

/** The account ages that add to the score, in days. */
const AGES = [30, 365]

/** When an account reaches the next age that adds to the score; undefined after the last one. */
export const nextAgeSignal = (createdAt: Date, now: Date): Date | undefined =>
  AGES.map((days) => new Date(createdAt.getTime() + days * DAY_MS)).find((moment) => moment > now)

/**
 * The trust score of a profile at a given time. The content of self-declared fields does not count, only that they are
 * filled in.
 */
export function profileTrust(input: ProfileTrustInput, now: Date): TrustScore<ProfileSignal> {
  const age = (now.getTime() - input.accountCreatedAt.getTime()) / DAY_MS
  return scoreOf(PROFILE_WEIGHTS, {
    email_verified: input.emailVerified,
    wallet_linked: input.walletLinked,
    provider_linked: input.providerLinked,
    account_age_30d: age >= 30,
    account_age_365d: age >= 365,
    profile_complete: input.profileComplete,
    has_paid: input.hasPaid,
  })
}

/** The trust score of an agent that signed the request. An agent without a signature has none. */
export const agentTrust = ({ did, hasPaid }: AgentTrustInput): TrustScore =>
  scoreOf(AGENT_WEIGHTS, { did_verified: true, did_web: did.startsWith('did:web:'), has_paid: hasPaid })
