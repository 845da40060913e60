import type { Clock } from '../../../kernel/clock.ts'
import type { Agent, TrustState } from '../../../model/agent.ts'
import type { Caller } from '../../../model/caller.ts'
import type { ProfileType } from '../../../model/profile-type.ts'
import { agentTrust, type ProfileSignal, profileTrust, type TrustScore } from '../../../model/trust-score.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { ReadCache } from '../../../runtime/storage/read-cache.ts'
import type { ProfileService } from '../profiles/index.ts'
import { createProfileScores, isComplete } from '../profiles/index.ts'

export interface TrustDeps {
  readonly read: Readers
  readonly clock: Clock
  readonly cache: ReadCache
  readonly profiles: Pick<ProfileService, 'find'>
}

/** The maximum number of profiles of a caller to check. */
const MAX_PROFILES = 100

/** Trust in profiles and agents, from records of the service. */
export function createTrustService({ read, clock, cache, profiles }: TrustDeps) {
  const { hasPaid, accountTrustInput, ofProfile } = createProfileScores({ read, clock, cache })

  /** The score of a caller: of its account, with the best of the profiles that it acts for. */
  async function ofCaller({ account, profileId }: Caller): Promise<number> {
    const [input, { items }] = await Promise.all([
      accountTrustInput(account.id),
      read.profiles.listOfAccount(account.id, { limit: MAX_PROFILES }),
    ])
    const own = items.filter(({ id, withdrawnAt }) => withdrawnAt === null && (profileId ?? id) === id)
    return profileTrust({ ...input, profileComplete: own.some(isComplete) }, clock()).score
  }

  const ofAgent = async ({ did }: Agent): Promise<number> => agentTrust({ did, hasPaid: await hasPaid({ did }) }).score

  return {
    async ofProfile(
      type: ProfileType,
      username: string,
      caller?: Caller | undefined,
    ): Promise<{ profile: Profile; trust: TrustScore<ProfileSignal> }> {
      const profile = await profiles.find(type, username, caller)
      return { profile, trust: (await ofProfile(profile)).trust }
    },

    /** The trust in a visitor, 0 to 100: the higher of its account and the agent that signed. */
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

/** Trust in profiles and agents. */
export type TrustService = ReturnType<typeof createTrustService>
