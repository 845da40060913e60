import type { Clock } from '../../kernel/clock.ts'
import type { Readers } from '../../ports/storage.ts'
import type { ReadCache } from '../../storage/read-cache.ts'
import type { Caller } from '../accounts/index.ts'
import type { Agent } from '../agents/index.ts'
import { completionOf, type Profile, type ProfileService, type ProfileType } from '../profiles/index.ts'
import { agentTrust, type ProfileFacts, type ProfileSignal, profileTrust, type TrustScore } from './score.ts'

export interface TrustDeps {
  readonly read: Readers
  readonly clock: Clock
  readonly cache: ReadCache
  readonly profiles: Pick<ProfileService, 'find'>
}

/** `standard` once an agent has proved that it means it; `cold_start` before. */
export type TrustState = 'cold_start' | 'standard'

type ListReceipts = Readers['receipts']['list']
type Payer = Parameters<ListReceipts>[0]
type Paid = Awaited<ReturnType<ListReceipts>>['items'][number]

/** How many profiles of a caller are looked at. */
const MAX_PROFILES = 100
/** How many of the latest payments are looked at. */
const MAX_RECEIPTS = 20

/** Users of the host vouch for nothing: there, everybody is one. */
const isProvider = ({ provider }: { readonly provider: string }) => provider !== 'host'

/** Who pays themselves proves nothing, and neither does money that went back. */
const isProof = ({ payerAccountId, seller, refund }: Paid) =>
  refund === null && (payerAccountId === null || payerAccountId !== seller.accountId)

/** How far profiles and agents are trusted, from what the service saw itself. */
export function createTrustService({ read, clock, cache, profiles }: TrustDeps) {
  async function hasPaid(payer: Payer): Promise<boolean> {
    // The latest one tells of nearly everybody.
    const { items, total } = await read.receipts.list(payer, { limit: 1 })
    if (items.some(isProof)) return true
    return total > 1 && (await read.receipts.list(payer, { limit: MAX_RECEIPTS })).items.some(isProof)
  }

  /** What an account did and has. No event tells an account that it paid, so that is looked up each time. */
  async function accountFacts(accountId: string): Promise<Omit<ProfileFacts, 'profileComplete'>> {
    const [known, paid] = await Promise.all([
      cache.get(`trust:${accountId}`, async () => {
        const [account, wallets, identities] = await Promise.all([
          read.accounts.get(accountId),
          read.wallets.listOfAccount(accountId),
          read.identities.listOfAccount(accountId),
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

  const isComplete = (profile: Profile) => completionOf(profile).count === 0

  /** The score of a caller: of its account, with the best of the profiles that it acts for. */
  async function ofCaller({ account, profileId }: Caller): Promise<number> {
    const [facts, { items }] = await Promise.all([
      accountFacts(account.id),
      read.profiles.listOfAccount(account.id, { limit: MAX_PROFILES }),
    ])
    const own = items.filter(({ id, withdrawnAt }) => withdrawnAt === null && (profileId ?? id) === id)
    return profileTrust({ ...facts, profileComplete: own.some(isComplete) }, clock()).score
  }

  const ofAgent = async ({ did }: Agent): Promise<number> => agentTrust({ did, hasPaid: await hasPaid({ did }) }).score

  return {
    /**
     * How far a profile is trusted, and why.
     *
     * @throws `profile_not_found`
     */
    async ofProfile(
      type: ProfileType,
      username: string,
      caller?: Caller | undefined,
    ): Promise<{ profile: Profile; trust: TrustScore<ProfileSignal> }> {
      const profile = await profiles.find(type, username, caller)
      const facts = await accountFacts(profile.ownerAccountId)
      return { profile, trust: profileTrust({ ...facts, profileComplete: isComplete(profile) }, clock()) }
    },

    /** How far a visitor is trusted, 0 to 100: by its account or by the agent that signed, whichever is more. */
    async ofVisitor({
      caller,
      agent,
    }: {
      readonly caller: Caller | undefined
      readonly agent: Agent | undefined
    }): Promise<number> {
      const scores = await Promise.all([caller ? ofCaller(caller) : 0, agent?.verified ? ofAgent(agent) : 0])
      return Math.max(...scores)
    },

    /** Whether an agent is known here: it has paid for something in a request that it signed. */
    stateOf: async (did: string): Promise<TrustState> => ((await hasPaid({ did })) ? 'standard' : 'cold_start'),
  }
}

/** How far profiles and agents are trusted. */
export type TrustService = ReturnType<typeof createTrustService>
