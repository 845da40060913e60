import type { Readers } from '../../ports/storage.ts'
import type { ProfileService } from '../profiles/index.ts'
import type { VisitorFacts } from './requirements/index.ts'

export interface VisitorFactsDeps {
  readonly read: Readers
  readonly profiles: Pick<ProfileService, 'didOf'>
}

/** How many profiles of a caller are looked at. */
const MAX_PROFILES = 100

/** What the service knows of those who stand at a gate. */
export function createVisitorFacts({
  read,
  profiles,
}: VisitorFactsDeps): Pick<VisitorFacts, 'didsOf' | 'trustOf' | 'relationOf'> {
  return {
    async didsOf({ account, profileId }) {
      const { items } = await read.profiles.listOfAccount(account.id, { limit: MAX_PROFILES })
      const own = items.filter(({ id, withdrawnAt }) => withdrawnAt === null && (profileId ?? id) === id)
      return own.map(profiles.didOf)
    },
    async trustOf() {
      return 0
    },
    async relationOf() {
      return { follower: false, following: false }
    },
  }
}
