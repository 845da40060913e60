import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../../kernel/clock.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { lazy } from '../../../kernel/lazy.ts'
import type { Caller } from '../../../model/caller.ts'
import { gatedFields } from '../../../model/gated-fields.ts'
import { PREFIX_BY_TYPE, type ProfileType } from '../../../model/profile-type.ts'
import { isVisible } from '../../../model/visibility.ts'
import type { Account } from '../../../ports/storage/accounts.ts'
import type { Profile, ProfileName } from '../../../ports/storage/profiles.ts'
import { type Readers, storageUnavailable } from '../../../ports/storage/storage.ts'
import type { NameHashes } from '../../../runtime/storage/name-hashes.ts'
import type { ReadCache } from '../../../runtime/storage/read-cache.ts'
import { didOf, withOwnDids } from './did.ts'
import { profileDeleted, profileMoved, profileNotFound } from './errors.ts'
import { freshnessOf } from './freshness.ts'
import type { LinkKeys } from './link-keys.ts'
import { withoutFields } from './own-fields.ts'
import type { createPartReader } from './read-parts.ts'
import { createShownFields } from './shown-fields.ts'
import { isUsername } from './username.ts'
import type { FollowedEvents, ProfileView } from './view.ts'

/** The number of times a profile is read again when it changes while it is being read. */
const MAX_ATTEMPTS = 5

/** The trust in a profile, and until when it is valid without an event. */
export type TrustOf = (
  profile: Profile,
) => Promise<{ readonly trust: { readonly score: number }; readonly until: Date | undefined }>

export interface LookupDeps {
  readonly read: Readers
  readonly cache: ReadCache
  readonly clock: Clock
  readonly publicUrl: string
  readonly trustOf: TrustOf
  readonly linkKeys: LinkKeys
  /** How the events of profiles can be followed. */
  readonly events: FollowedEvents
  /** Reads what other modules add to a profile. */
  readonly readParts: ReturnType<typeof createPartReader>
  /** Returns the profile if the caller may see it. Throws `profile_not_found`. */
  readonly assertVisible: (profile: Profile | undefined, caller: Caller | undefined) => Promise<Profile>
  readonly nameHashes: NameHashes
}

/** A profile with the data of its public documents. */
export type PublicProfile = Awaited<ReturnType<ReturnType<typeof createLookup>['getDocument']>>

/** Finds profiles by name, for callers who may see them. */
export function createLookup(deps: LookupDeps) {
  const { read, cache, clock, publicUrl, linkKeys, trustOf, events, assertVisible, nameHashes } = deps
  /** A text that cannot be a username is not looked up: databases refuse some characters. */
  const byName = async (type: ProfileType, username: string) =>
    isUsername(username) ? read.profiles.get({ type, username }) : undefined

  /**
   * Reads a profile and its gate as of the same moment: a gate that opens a field must not reveal its earlier content.
   * A profile with a gate is therefore read before and after its gate, until both reads are equal.
   */
  async function gatedByName(type: ProfileType, username: string) {
    let profile = await byName(type, username)
    for (let attempt = 0; profile && attempt < MAX_ATTEMPTS; attempt += 1) {
      const stored = await read.gates.get(profile.id)
      if (!stored) return { profile, gate: undefined }
      const after = await read.profiles.get(profile.id)
      if (isDeepStrictEqual(after, profile)) return { profile, gate: withOwnDids(publicUrl, stored) }
      profile = after?.username === username ? after : undefined
    }
    if (profile) throw storageUnavailable()
    return undefined
  }

  const load = (type: ProfileType, username: string) =>
    cache.getOrLastSeen(`profile:${type}:${username}`, async () => {
      const profile = await byName(type, username)
      return { value: profile, profileId: profile?.id }
    })

  const loadShown = (type: ProfileType, username: string) =>
    cache.get(`shown-profile:${type}:${username}`, async () => {
      const found = await gatedByName(type, username)
      const value = found && withoutFields(found.profile, gatedFields(found.gate?.config))
      return { value, profileId: value?.id }
    })

  const partsOf = (profile: Profile) => Promise.all([deps.readParts(profile), trustOf(profile)])

  /**
   * Reads all parts of a profile under one version of its gate: content that is added after a change of the gate must
   * not be shown under the previous version.
   */
  async function readWhole(type: ProfileType, username: string) {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const found = await gatedByName(type, username)
      if (!found) return undefined
      const parts = await partsOf(found.profile)
      const after = await read.gates.get(found.profile.id)
      if (after?.version === found.gate?.version) return { ...found, parts }
    }
    throw storageUnavailable()
  }

  // The profile is read here, not taken from `load`: one that was read before a change must not be cached after it.
  const loadPublic = (type: ProfileType, username: string) =>
    cache.getOrLastSeen(`profile-document:${type}:${username}`, async () => {
      const found = await readWhole(type, username)
      if (!found) return { value: undefined, profileId: undefined }
      const { profile, gate } = found
      const [{ parts, hasFailed }, { trust, until }] = found.parts
      const view: ProfileView = {
        profile,
        gates: gate?.config,
        parts,
        linkKeys,
        trustScore: trust.score,
        events,
      }
      const shown = createShownFields(view, publicUrl)
      // The public view. Its digest is public, so it must not contain gated fields.
      const { document } = shown.shownWith(new Set())
      const freshness = lazy(() => freshnessOf(view, document, publicUrl))
      const value = {
        ...view,
        ...shown,
        gate,
        document,
        freshness,
        isCached: !hasFailed(),
        /** When it must be read again, also without an event: now, once a part failed. */
        get until() {
          return hasFailed() ? clock() : until
        },
      }
      return value.isCached ? { value, profileId: profile.id, accountId: profile.ownerAccountId } : { value }
    })

  /** The profile that recently had a name, for callers who may see it; throws `profile_not_found`. */
  const byFormerName = async (type: ProfileType, username: string, caller?: Caller | undefined) =>
    assertVisible(await read.profileNames?.getProfile(type, username, clock()), caller)

  /** Redirects from a former name of a profile to its current one, for callers who may see the profile. */
  async function notHere(type: ProfileType, username: string, caller: Caller | undefined) {
    if (!isUsername(username)) return profileNotFound()
    const profile = await byFormerName(type, username, caller)
    const name = { below: [PREFIX_BY_TYPE[type]], from: username, to: profile.username }
    const did = { from: didOf(publicUrl, { type, username }), to: didOf(publicUrl, profile) }
    return profileMoved({
      details: { username: profile.username },
      visibility: profile.visibility,
      moves: [name, did],
    })
  }

  /** Whether a name belonged to a deleted profile that was readable at its URL. */
  async function wasDeleted(name: ProfileName): Promise<boolean> {
    return (await read.profileNames?.getReserved(nameHashes(name)))?.wasReadable === true
  }

  /** A private profile that has the name of a deleted one is not revealed: its address remains that of the deleted one. */
  async function unlessDeleted<Found>(name: ProfileName, finding: Promise<Found>): Promise<Found> {
    try {
      return await finding
    } catch (error) {
      const isMissing = isEepError(error) && error.code === profileNotFound.code
      if (!isMissing || !isUsername(name.username) || !(await wasDeleted(name))) throw error
      throw profileDeleted({ visibility: 'public' })
    }
  }

  const found = {
    byFormerName,
    wasDeleted,

    /** Returns the address of the picture in the profile of an account, whatever its gate closes: it is shown to the account itself. */
    async portraitOf({ id, username }: Pick<Account, 'id' | 'username'>): Promise<string | null> {
      const profile = await load('person', username)
      return profile?.ownerAccountId === id ? profile.avatarUrl : null
    },

    async find(type: ProfileType, username: string, caller?: Caller | undefined): Promise<Profile> {
      const profile = await load(type, username)
      if (!profile) throw await notHere(type, username, caller)
      // Most profiles are visible to everyone, so their readers need no role.
      return isVisible(profile, 'address') ? profile : assertVisible(profile, caller)
    },

    /**
     * Returns a profile without its gated fields, also to its team: summaries do not show what is sold.
     *
     * @throws what `find` throws
     */
    async findRedacted(type: ProfileType, username: string, caller?: Caller | undefined): Promise<Profile> {
      const profile = await loadShown(type, username)
      if (!profile) throw await notHere(type, username, caller)
      return assertVisible(profile, caller)
    },

    /** Returns the complete document of a profile, without a check of visibility. Undefined when it does not exist. */
    async getWholeDocument({ type, username }: ProfileName) {
      return (await loadPublic(type, username))?.whole.document
    },

    /**
     * Returns a profile and its views. They are the same objects until the profile changes.
     *
     * @throws `profile_not_found` when it does not exist, or is private and the caller has no role in it; `profile_moved` for a kept former name
     */
    async getDocument(type: ProfileType, username: string, caller?: Caller | undefined) {
      let known = await loadPublic(type, username)
      if (known?.isCached && known.until && known.until <= clock()) {
        cache.drop(known.profile.id)
        known = await loadPublic(type, username)
      }
      if (!known) throw await notHere(type, username, caller)
      await assertVisible(known.profile, caller)
      return known
    },
  }

  const { find, getDocument } = found
  return {
    ...found,
    /**
     * The lookups of public addresses: a profile that was deleted is distinguished from one that never existed.
     *
     * @throws what `find` and `getDocument` throw; `profile_deleted` instead of `profile_not_found` for a name that belonged to a
     * deleted profile that was readable
     */
    byAddress: {
      find: (...name: Parameters<typeof find>) => unlessDeleted({ type: name[0], username: name[1] }, find(...name)),
      getDocument: (...name: Parameters<typeof getDocument>) =>
        unlessDeleted({ type: name[0], username: name[1] }, getDocument(...name)),
    },
  }
}
