import type { Clock } from '../../../kernel/clock.ts'
import {
  type AccountProofs,
  nextAgeSignal,
  type ProfileSignal,
  profileTrust,
  type TrustScore,
} from '../../../model/trust-score.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { ReadCache } from '../../../runtime/storage/read-cache.ts'
import { completionOf } from './completion.ts'

export interface ProfileScoreDeps {
  readonly read: Readers
  readonly clock: Clock
  readonly cache: ReadCache
}

type ListReceipts = Readers['receipts']['list']
type Payer = Parameters<ListReceipts>[0]
type Paid = Awaited<ReturnType<ListReceipts>>['items'][number]

/** The part of a profile that its trust score depends on. */
export type ScoredProfile = Pick<Profile, 'ownerAccountId' | 'avatarUrl' | 'bio' | 'socials' | 'skills'>

/** The trust in a profile, and when the age of its account will raise it. */
export interface ProfileTrust {
  readonly trust: TrustScore<ProfileSignal>
  readonly until: Date | undefined
}

/** How many of the latest payments are considered. */
const MAX_RECEIPTS = 20

/** A payment to oneself proves nothing, and neither does one that was refunded. */
const isProof = ({ payerAccountId, seller, refund }: Paid) =>
  refund === null && (payerAccountId === null || payerAccountId !== seller.accountId)

/** The proofs of an account that is gone. */
const unproven = (accountCreatedAt: Date): AccountProofs => ({
  emailVerified: false,
  accountCreatedAt,
  walletLinked: false,
  providerLinked: false,
  hasPaid: false,
})

/** A complete profile. */
export const isComplete = (profile: Omit<ScoredProfile, 'ownerAccountId'>): boolean => completionOf(profile).count === 0

/** Computes trust scores from records of the service. */
export function createProfileScores({ read, clock, cache }: ProfileScoreDeps) {
  async function hasPaid(payer: Payer): Promise<boolean> {
    // The latest payment is usually enough.
    const { items, total } = await read.receipts.list(payer, { limit: 1 })
    if (items.some(isProof)) return true
    return total > 1 && (await read.receipts.list(payer, { limit: MAX_RECEIPTS })).items.some(isProof)
  }

  /**
   * What the records of some accounts prove, from the storage. Linked wallets and providers only count in a storage with the group
   * `profileNumbers`.
   */
  async function loadProofs(accountIds: readonly string[]): Promise<ReadonlyMap<string, AccountProofs>> {
    if (read.profileNumbers) return read.profileNumbers.listProofs(accountIds)
    const proofs = await Promise.all(
      accountIds.map(async (accountId) => {
        const [account, paid] = await Promise.all([read.accounts.get(accountId), hasPaid({ accountId })])
        if (!account) return undefined
        const { emailVerified, createdAt: accountCreatedAt } = account
        const proved = { emailVerified, accountCreatedAt, walletLinked: false, providerLinked: false, hasPaid: paid }
        return [accountId, proved] as const
      }),
    )
    return new Map(proofs.flatMap((entry) => (entry ? [entry] : [])))
  }

  /** The proofs of an account, from the storage. */
  async function accountTrustInput(accountId: string): Promise<AccountProofs> {
    return (await loadProofs([accountId])).get(accountId) ?? unproven(clock())
  }

  /** The proofs of several accounts: the cached ones, and the others with one query. */
  async function proofsOf(accountIds: ReadonlySet<string>): Promise<ReadonlyMap<string, AccountProofs>> {
    const cacheKey = (accountId: string) => `proofs:${accountId}`
    const keep = cache.begin()
    const proofs = new Map<string, AccountProofs>()
    const missing: string[] = []
    for (const accountId of accountIds) {
      const known = cache.find<AccountProofs>(cacheKey(accountId))
      if (known) proofs.set(accountId, known)
      else missing.push(accountId)
    }
    if (missing.length === 0) return proofs
    for (const [accountId, value] of await loadProofs(missing)) {
      proofs.set(accountId, value)
      keep(cacheKey(accountId), { value, accountId })
    }
    return proofs
  }

  function trustIn(profile: ScoredProfile, proofs: AccountProofs): ProfileTrust {
    const now = clock()
    return {
      trust: profileTrust({ ...proofs, profileComplete: isComplete(profile) }, now),
      until: nextAgeSignal(proofs.accountCreatedAt, now),
    }
  }

  return {
    hasPaid,
    accountTrustInput,

    ofProfile: async (profile: Profile): Promise<ProfileTrust> =>
      trustIn(profile, await accountTrustInput(profile.ownerAccountId)),

    /**
     * Returns the scores of the profiles of a list, 0 to 100, in its order. Takes one query, or none when the accounts are
     * cached; 0 for a profile whose account is gone.
     */
    async scoresOf(profiles: readonly ScoredProfile[]): Promise<readonly number[]> {
      const proofs = await proofsOf(new Set(profiles.map(({ ownerAccountId }) => ownerAccountId)))
      return profiles.map((profile) => {
        const known = proofs.get(profile.ownerAccountId)
        return known ? trustIn(profile, known).trust.score : 0
      })
    },

    /** The trust in some profiles of one account, determined from the storage and not from the cache. */
    async current(
      accountId: string,
      profiles: readonly Profile[],
    ): Promise<readonly (ProfileTrust & { readonly profile: Profile })[]> {
      if (profiles.length === 0) return []
      const proofs = await accountTrustInput(accountId)
      return profiles.map((profile) => ({ profile, ...trustIn(profile, proofs) }))
    },
  }
}

/** Trust scores from records of the service. */
export type ProfileScores = ReturnType<typeof createProfileScores>
