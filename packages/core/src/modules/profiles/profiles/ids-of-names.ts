import type { ProfileName } from '../../../ports/storage/profiles.ts'
import type { Stores } from '../../../ports/storage/storage.ts'

/**
 * The ids of the profiles that had some names at a time, by `type:username`. Without former names in the storage, a profile has the
 * name that it was created with.
 */
export async function idsOfNames(
  tx: Stores,
  names: readonly ProfileName[],
  at: Date,
): Promise<ReadonlyMap<string, number>> {
  if (tx.profileNames) return tx.profileNames.listIdsOf(names, at)
  const ids = new Map<string, number>()
  for (const { type, username } of names) {
    const profile = await tx.profiles.get({ type, username })
    if (profile) ids.set(`${type}:${username}`, profile.id)
  }
  return ids
}
