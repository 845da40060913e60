import type { Clock } from '../../kernel/clock.ts'
import {
  nextAgeSignal,
  type ProfileSignal,
  type ProfileTrustInput,
  profileTrust,
  type TrustScore,
} from '../../model/trust-score.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { Readers } from '../../ports/storage/storage.ts'
import type { ReadCache } from '../../storage/read-cache.ts'
import { completionOf } from './completion.ts'

export interface ProfileScoreDeps {
  readonly read: Readers
  readonly clock: Clock
  readonly cache: ReadCache
}

type ListReceipts = Readers['receipts']['list']
type Payer = Parameters<ListReceipts>[0]
type Paid = Awaited<ReturnType<ListReceipts>>['items'][number]

/** How many of the latest payments are considered. */
const MAX_RECEIPTS = 20

/** Host users count for nothing, because every account there has one. */
const isProvider = ({ provider }: { readonly provider: string }) => provider !== 'host'

/** A payment to oneself proves nothing, and neither does one that was refunded. */
const isProof = ({ payerAccountId, seller, refund }: Paid) =>
  refund === null && (payerAccountId === null || payerAccountId !== seller.accountId)

/** A complete profile. */
export const isComplete = (profile: Profile): boolean => completionOf(profile).count === 0

/** Computes trust scores from records of the service. */
export function createProfileScores({ read, clock, cache }: ProfileScoreDeps) {
  async function hasPaid(payer: Payer): Promise<boolean> {
    // The latest payment is usually enough.
    const { items, total } = await read.receipts.list(payer, { limit: 1 })
    if (items.some(isProof)) return true
    return total > 1 && (await read.receipts.list(payer, { limit: MAX_RECEIPTS })).items.some(isProof)
  }

  /** The proofs of an account. Its payments are looked up each time. */
  async function accountTrustInput(accountId: string): Promise<Omit<ProfileTrustInput, 'profileComplete'>> {
    const [known, paid] = await Promise.all([
      cache.get(`trust:${accountId}`, async () => {
        const [account, wallets, identities] = await Promise.all([
          read.accounts.get(accountId),
          read.wallets?.listOfAccount(accountId) ?? [],
          read.identities?.listOfAccount(accountId) ?? [],
        ])
        const value = {
          emailVerified: account?.emailVerified === true,
          accountCreatedAt: account?.createdAt ?? clock(),
          walletLinked: wallets.length > 0,
          providerLinked: identities.some(isProvider),
        }
        return { value, accountId: account?.id }
      }),
      hasPaid({ accountId }),
    ])
    return { ...known, hasPaid: paid }
  }

  return {
    hasPaid,
    accountTrustInput,

    /** The trust in a profile, and when it rises by the age of its account. */
    async ofProfile(
      profile: Profile,
    ): Promise<{ readonly trust: TrustScore<ProfileSignal>; readonly until: Date | undefined }> {
      const input = await accountTrustInput(profile.ownerAccountId)
      const now = clock()
      return {
        trust: profileTrust({ ...input, profileComplete: isComplete(profile) }, now),
        until: nextAgeSignal(input.accountCreatedAt, now),
      }
    },
  }
}
