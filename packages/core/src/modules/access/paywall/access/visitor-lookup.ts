import type { Caller } from '../../../../model/caller.ts'
import type { Profile } from '../../../../ports/storage/profiles.ts'
import type { Readers } from '../../../../ports/storage/storage.ts'
import type { Relation, VisitorLookup } from '../requirements/index.ts'

export interface VisitorLookupDeps {
  readonly read: Readers
  readonly trustOf: VisitorLookup['trustOf']
  /** How the profiles of a visitor and another profile follow each other. */
  readonly relationOf: (visitorProfileIds: readonly number[], profileId: number) => Promise<Relation>
}

/** The maximum number of profiles of a caller to check. */
const MAX_PROFILES = 100

/** Looks up data about visitors for gates. */
export function createVisitorLookup({
  read,
  trustOf,
  relationOf,
}: VisitorLookupDeps): Pick<VisitorLookup, 'profilesOf' | 'trustOf' | 'relationOf' | 'hasAccepted'> {
  /** The profiles that a caller can act for: those it owns, or the one of its key. */
  async function ofCaller({ account, profileId }: Caller): Promise<readonly Profile[]> {
    const { items } = await read.profiles.listOfAccount(account.id, { limit: MAX_PROFILES })
    return items.filter(({ id, withdrawnAt }) => withdrawnAt === null && (profileId ?? id) === id)
  }

  return {
    profilesOf: ofCaller,
    trustOf,
    hasAccepted: async ({ account }, { id: profileId }, documentHash) =>
      (await read.agreements?.has({ accountId: account.id, profileId, documentHash })) ?? false,
    async relationOf({ caller }, profile) {
      const own = caller ? await ofCaller(caller) : []
      return relationOf(
        own.map(({ id }) => id),
        profile.id,
      )
    },
  }
}
