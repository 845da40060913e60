import type { StoredEvent } from '../../../ports/storage/events.ts'
import { profileFollowed, profileUnfollowed } from '../../profiles/connections/events.ts'

interface Entry {
  readonly ids: Set<number>
  readonly loading: Promise<unknown>
  /** Changes that arrived while the ids were loaded. */
  readonly changes: (() => void)[]
  isLoaded: boolean
  users: number
}

/** Caches which profiles connected clients follow: loaded once per profile, then updated by events. */
export function createFollowedProfiles(load: (profileId: number) => Promise<readonly number[]>) {
  const entries = new Map<number, Entry>()

  function open(profileId: number): Entry {
    const ids = new Set<number>()
    const entry: Entry = {
      ids,
      changes: [],
      isLoaded: false,
      users: 0,
      loading: load(profileId).then((found) => {
        for (const id of found) ids.add(id)
        for (const change of entry.changes.splice(0)) change()
        entry.isLoaded = true
      }),
    }
    return entry
  }

  return {
    /** Returns a live set of the profiles that a profile follows. Call `release` at the end. */
    async acquire(profileId: number): Promise<{ readonly ids: ReadonlySet<number>; release(): void }> {
      const entry = entries.get(profileId) ?? open(profileId)
      entries.set(profileId, entry)
      entry.users += 1
      let isHeld = true
      const release = () => {
        if (!isHeld) return
        isHeld = false
        entry.users -= 1
        if (entry.users === 0 && entries.get(profileId) === entry) entries.delete(profileId)
      }
      try {
        await entry.loading
      } catch (error) {
        release()
        throw error
      }
      return { ids: entry.ids, release }
    },

    /** Applies changes of connections. Called for each event, in order. */
    note({ type, data }: StoredEvent): void {
      const isNew = type === profileFollowed.type
      if (!isNew && type !== profileUnfollowed.type) return
      const { followerProfileId, followeeProfileId } = data
      if (typeof followerProfileId !== 'number' || typeof followeeProfileId !== 'number') return
      const entry = entries.get(followerProfileId)
      if (!entry) return
      const change = () => void (isNew ? entry.ids.add(followeeProfileId) : entry.ids.delete(followeeProfileId))
      if (entry.isLoaded) change()
      else entry.changes.push(change)
    },
  }
}

export type FollowedProfiles = ReturnType<typeof createFollowedProfiles>
