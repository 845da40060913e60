import { memoized } from '../../../kernel/memoized.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { MyProfiles, ProfileService } from '../../profiles/profiles/index.ts'

export interface LookupDeps {
  readonly read: Pick<Readers, 'accounts' | 'profiles'>
  readonly profiles: Pick<ProfileService, 'nameOf'>
  readonly myProfiles: Pick<MyProfiles, 'defaultOf' | 'personOf'>
}

/** Returns the profiles that a batch of events names. Each is read once, also when it does not exist. */
export function createLookups({ read, profiles, myProfiles }: LookupDeps) {
  const account = memoized((id: string) => read.accounts.get(id))

  return {
    /** Returns the profile with an id. */
    profile: memoized((id: number) => read.profiles.get(id)),
    /** Returns the default profile of an account; undefined also when the account does not exist. */
    defaultOf: memoized(async (accountId: string) => {
      const found = await account(accountId)
      return found && myProfiles.defaultOf(found)
    }),
    /** Returns the person of an account; undefined also when the account does not exist. */
    personOf: memoized(async (accountId: string) => {
      const found = await account(accountId)
      return found && myProfiles.personOf(found)
    }),
    /** Returns the profile of a DID of this service; undefined when no profile has this name; null for any other DID. */
    byDid: memoized(async (did: string): Promise<Profile | undefined | null> => {
      const name = profiles.nameOf(did)
      return name ? read.profiles.get(name) : null
    }),
  }
}

export type Lookups = ReturnType<typeof createLookups>
