import type { Readers } from '../../ports/storage.ts'
import type { Caller } from '../accounts/index.ts'
import type { ConnectionService } from '../connections/index.ts'
import type { Profile } from '../profiles/index.ts'
import type { TrustService } from '../trust/index.ts'
import type { VisitorFacts } from './requirements/index.ts'

export interface VisitorFactsDeps {
  readonly read: Readers
  readonly trust: Pick<TrustService, 'ofVisitor'>
  readonly connections: Pick<ConnectionService, 'relationOf'>
}

/** How many profiles of a caller are looked at. */
const MAX_PROFILES = 100

/** What the service knows of those who stand at a gate. */
export function createVisitorFacts({
  read,
  trust,
  connections,
}: VisitorFactsDeps): Pick<VisitorFacts, 'profilesOf' | 'trustOf' | 'relationOf'> {
  /** The profiles that a caller speaks for: those it owns, or the one of its key. */
  async function ofCaller({ account, profileId }: Caller): Promise<readonly Profile[]> {
    const { items } = await read.profiles.listOfAccount(account.id, { limit: MAX_PROFILES })
    return items.filter(({ id, withdrawnAt }) => withdrawnAt === null && (profileId ?? id) === id)
  }

  return {
    profilesOf: ofCaller,
    trustOf: trust.ofVisitor,
    async relationOf({ caller }, profile) {
      const own = caller ? await ofCaller(caller) : []
      return connections.relationOf(
        own.map(({ id }) => id),
        profile.id,
      )
    },
  }
}
