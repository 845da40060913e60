import type { AddedPart } from '../../../framework/module/profile-part.ts'
import { allPages } from '../../../kernel/all-pages.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Account } from '../../../model/account.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Role } from '../../../model/permission.ts'
import type { AccountUse, Profile, ProfileNumbers } from '../../../ports/storage/profiles.ts'
import type { OptionalGroup, Readers } from '../../../ports/storage/storage.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { type Completion, completionOf } from './completion.ts'
import { profileNotFound } from './errors.ts'
import type { ProfileScores } from './profile-scores.ts'
import { listProfilesOfAccount } from './profiles-of-account.ts'
import { type OnPartFailure, safePart } from './safe-part.ts'
import type { ProfileService } from './service.ts'
import { isReachedBy } from './team.ts'
import type { LoadedPart } from './view.ts'

/** A profile on the dashboard of a team member. */
export interface DashboardProfile {
  readonly profile: Profile
  readonly role: Role
  readonly numbers: ProfileNumbers
  /** The parts that dashboards have. */
  readonly parts: readonly LoadedPart[]
  /** 0 to 100. */
  readonly trustScore: number
}

export interface MyProfilesDeps extends Pick<GuardedStorage, 'read'> {
  readonly profiles: Pick<ProfileService, 'get' | 'roleOf' | 'requirePermission'>
  readonly scoresOf: ProfileScores['scoresOf']
  readonly parts: readonly AddedPart[]
  readonly onPartFailure: OnPartFailure
}

/** The profiles of a signed-in account. */
export function createMyProfiles({ read, profiles, scoresOf, parts, onPartFailure }: MyProfilesDeps) {
  /** The parts of the profiles of a dashboard. */
  async function loadParts(ofProfiles: readonly Profile[]) {
    const loaded = await Promise.all(
      parts.map(async (added) => {
        const part = safePart(added, onPartFailure)
        // A module is on only when the storage has its groups.
        return { part, items: await part.loadMany(read as Readers<OptionalGroup>, ofProfiles) }
      }),
    )
    return ({ id }: Profile): readonly LoadedPart[] =>
      loaded.flatMap(({ part, items }) => (items ? [{ part, items: items.get(id) ?? [] }] : []))
  }

  /** Returns the person of an account, which cannot be transferred; undefined when it has none. */
  async function personOf({ id, username }: Pick<Account, 'id' | 'username'>): Promise<Profile | undefined> {
    const person = await read.profiles.get({ type: 'person', username })
    return person?.ownerAccountId === id ? person : undefined
  }

  /** Returns the person of an account, else the oldest profile that it owns; undefined when it owns none. */
  async function defaultOf(account: Pick<Account, 'id' | 'username'>): Promise<Profile | undefined> {
    const person = await personOf(account)
    if (person) return person
    // A profile that is being deleted in parts belongs to the account until that is done.
    for await (const profile of allPages((request) => read.profiles.listOfAccount(account.id, request))) {
      if (profile.withdrawnAt === null) return profile
    }
    return undefined
  }

  return {
    /** Whether the storage counts the contents of profiles; `list` needs it. */
    hasNumbers: read.profileNumbers !== undefined,

    /** Returns the profiles whose team the caller is in, its own first, with four queries; only its profile for a credential of one. */
    async list(request: PageRequest, caller: Caller): Promise<Page<DashboardProfile>> {
      const all = await listProfilesOfAccount(read, caller.account.id, request)
      const only = caller.profileId
      const reached = all.items.filter(
        ({ profile }) => (only === undefined || profile.id === only) && isReachedBy(caller, profile),
      )
      const page = { ...all, items: reached }
      const ids = page.items.map(({ profile }) => profile.id)
      const [numbers, partsOf, scores] = await Promise.all([
        requireGroup(read, 'profileNumbers').profileNumbers.countOfProfiles(ids),
        loadParts(page.items.map(({ profile }) => profile)),
        scoresOf(page.items.map(({ profile }) => profile)),
      ])
      const items = page.items.flatMap((item, at) => {
        const ofProfile = numbers.get(item.profile.id)
        // One that was deleted between the queries is omitted.
        if (!ofProfile) return []
        return [{ ...item, numbers: ofProfile, parts: partsOf(item.profile), trustScore: scores[at] ?? 0 }]
      })
      return { ...page, items }
    },

    /** Returns the missing parts of a profile, to its team. Throws `profile_not_found` for others. */
    async completion(id: number, caller: Caller): Promise<Completion> {
      const profile = await profiles.get(id, caller)
      if ((await profiles.roleOf(profile, caller)) === undefined) throw profileNotFound()
      return completionOf(profile)
    },

    /**
     * Returns the acting profile: the one that the request names, else the person of the account, else the oldest that it owns.
     *
     * @throws `profile_not_found` when there is none, `not_profile_owner` when the caller is not of its team
     */
    async acting(activeProfileId: number | undefined, caller: Caller): Promise<Profile> {
      if (activeProfileId !== undefined) {
        const profile = await profiles.get(activeProfileId, caller)
        await profiles.requirePermission(profile, caller, 'profile.read')
        return profile
      }
      const profile = await defaultOf(caller.account)
      if (!profile) throw profileNotFound()
      return profile
    },

    personOf,
    defaultOf,

    /** How many profiles the account owns, and what they contain. */
    use: (caller: Caller): Promise<AccountUse> => read.profiles.countOfAccount(caller.account.id),
  }
}

export type MyProfiles = ReturnType<typeof createMyProfiles>
