import { allPages } from '../../../kernel/all-pages.ts'
import type { Level } from '../../../model/trust-score.ts'
import type { StoredEvent } from '../../../ports/storage/events.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Readers, Stores } from '../../../ports/storage/storage.ts'
import type { TrustLevel } from '../../../ports/storage/trust-levels.ts'
import type { TransactionalHandler } from '../../../runtime/consumers/durable.ts'
import type { EventCatalogue } from '../../../runtime/events/catalogue.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import { on } from '../../../runtime/events/define-event.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { profileCreated, profileUpdated } from '../profiles/events.ts'
import type { ProfileScores } from '../profiles/index.ts'
import { trustAgeReached, trustLevelChanged } from './events.ts'

export interface LevelObserverDeps {
  readonly read: Readers
  readonly catalogue: EventCatalogue
  /** The types of events that change the owner of a profile. */
  readonly newOwnerTypes: readonly string[]
  /** Computes trust from the storage, not from a cache. */
  readonly currentOf: ProfileScores['current']
}

/** The level of a profile without a stored one. */
const FIRST_LEVEL: Level = 'low'

/** The fields of a complete profile, by their names in events. */
const COUNTED_FIELDS = new Set(['avatar_url', 'bio', 'socials', 'skills'])

type Observed = TrustLevel & { readonly score: number }

/**
 * Emits an event when the trust level of a profile changes, in the transaction that advances the cursor of the log. So each
 * change is emitted once, whichever instance stored the cause. Causes in one batch result in
 * one change.
 */
export function createLevelObserver(deps: LevelObserverDeps): TransactionalHandler {
  const { read, catalogue, newOwnerTypes, currentOf } = deps

  const profileHandlers = [
    on(profileCreated, () => true),
    on(profileUpdated, ({ data }) => data.fields.some((field) => COUNTED_FIELDS.has(field))),
    on(trustAgeReached, () => true),
  ]
  const newOwner = new Set(newOwnerTypes)
  const concernsProfile = (event: StoredEvent) =>
    newOwner.has(event.type) || profileHandlers.some((isCause) => isCause(event))

  const concernsAccount = (event: StoredEvent) => catalogue.get(event.type)?.invalidates(event.data).includes('account')

  /** Returns the profiles whose level may have changed, by owner. */
  async function profilesOf(events: readonly StoredEvent[]): Promise<ReadonlyMap<string, readonly Profile[]>> {
    const accountIds = new Set(events.filter(concernsAccount).flatMap(({ accountId }) => accountId ?? []))
    const profileIds = new Set(events.filter(concernsProfile).flatMap(({ profileId }) => profileId ?? []))
    const byOwner = new Map<string, readonly Profile[]>()
    for (const accountId of accountIds) {
      const owned: Profile[] = []
      for await (const profile of allPages((page) => read.profiles.listOfAccount(accountId, page))) owned.push(profile)
      byOwner.set(accountId, owned)
    }
    for (const id of profileIds) {
      const profile = await read.profiles.get(id)
      if (!profile || accountIds.has(profile.ownerAccountId)) continue
      byOwner.set(profile.ownerAccountId, [...(byOwner.get(profile.ownerAccountId) ?? []), profile])
    }
    return byOwner
  }

  async function store(observed: readonly Observed[], stores: Stores<'followers'>, emit: Emit): Promise<void> {
    const { trustLevels } = requireGroup(stores, 'trustLevels')
    for (const { score, ...each } of observed) {
      const before = await trustLevels.put(each)
      if (before === undefined) continue
      const [previous, current] = [before ?? FIRST_LEVEL, each.level]
      if (previous !== current) emit(trustLevelChanged, { previous, current, score }, { profileId: each.profileId })
    }
  }

  return {
    async prepare(events) {
      const observed: Observed[] = []
      for (const [accountId, profiles] of await profilesOf(events)) {
        for (const { profile, trust, until } of await currentOf(accountId, profiles)) {
          observed.push({ profileId: profile.id, level: trust.level, score: trust.score, recheckAt: until ?? null })
        }
      }
      if (observed.length === 0) return undefined
      // In a fixed order, to avoid deadlocks with transactions that delete several profiles.
      observed.sort((left, right) => left.profileId - right.profileId)
      return (stores, emit) => store(observed, stores, emit)
    },
  }
}
