import type { Clock } from '../../kernel/clock.ts'
import { unauthenticated } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import { once } from '../../kernel/once.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import type { ReadCache } from '../../storage/read-cache.ts'
import type { Caller } from '../accounts/index.ts'
import { createAccess } from './access.ts'
import { type ChangelogPage, readChangelog } from './changelog.ts'
import { publicContents } from './contents.ts'
import { didOf, parseDid, profilePath } from './did.ts'
import { profileDidDocument } from './did-document.ts'
import { profileDocument } from './document.ts'
import { changedFields, type ProfileEdits } from './edits.ts'
import { profileNotFound, usernameReserved, usernameTaken } from './errors.ts'
import { freshnessOf } from './freshness.ts'
import { blankProfile } from './new-profile.ts'
import type { ProfileType } from './profile-type.ts'
import type { ProfileRecord } from './schemas.ts'
import type { Profile } from './store.ts'
import { isReservedUsername, isUsername } from './username.ts'
import type { ProfileView } from './view.ts'

/** How many pages a profile names; the table of contents has them all. */
const MAX_SHOWN_PAGES = 100

export interface ProfileDeps extends GuardedStorage {
  readonly clock: Clock
  readonly cache: ReadCache
  readonly keyring: Pick<Keyring, 'publicKeys'>
  readonly publicUrl: string
}

/** What makes a new profile, and whatever else is known of it. */
export interface ProfileDraft extends ProfileEdits {
  readonly type: ProfileType
  readonly username: string
}

export function createProfileService({ read, write, clock, cache, keyring, publicUrl }: ProfileDeps) {
  const { roleOf, visible, require: requireRole, lockFor } = createAccess({ read, cache })

  const load = (type: ProfileType, username: string) =>
    cache.get(`profile:${type}:${username}`, async () => {
      const profile = await read.profiles.getByUsername(type, username)
      return { value: profile, profileId: profile?.id }
    })

  // The profile is read in here, not taken from `load`: one that was read before a change must not be kept after it.
  const loadPublic = (type: ProfileType, username: string) =>
    cache.get(`profile-document:${type}:${username}`, async () => {
      const profile = await read.profiles.getByUsername(type, username)
      if (!profile) return { value: undefined, profileId: undefined }
      const [gate, categories, pages] = await Promise.all([
        read.gates.get(profile.id),
        read.categories.listOfProfile(profile.id),
        read.pages.listOutline(profile.id, { status: 'published', limit: MAX_SHOWN_PAGES }),
      ])
      const view: ProfileView = { profile, contents: publicContents(categories, pages.items), gates: gate?.config }
      const document = profileDocument(view, publicUrl)
      return { value: { ...view, document, freshness: once(() => freshnessOf(view, document)) }, profileId: profile.id }
    })

  async function find(type: ProfileType, username: string, caller?: Caller | undefined): Promise<Profile> {
    // What cannot be a username is not looked up: a database would choke on some of it.
    return visible(isUsername(username) ? await load(type, username) : undefined, caller)
  }

  /**
   * A profile and its document, as everybody who may read it sees it. The document stays the same object until
   * something about the profile changes.
   *
   * @throws `profile_not_found` when there is none, or it is private and the caller has no role in it
   */
  async function getPublic(type: ProfileType, username: string, caller?: Caller | undefined) {
    const known = isUsername(username) ? await loadPublic(type, username) : undefined
    if (!known) throw profileNotFound()
    await visible(known.profile, caller)
    return known
  }

  return {
    publicUrl,
    roleOf,
    require: requireRole,
    lockFor,
    find,
    getPublic,

    /** A profile as JSON; the owner of it also sees its mail address. */
    async getRecord(type: ProfileType, username: string, caller?: Caller | undefined): Promise<ProfileRecord> {
      const { profile, document } = await getPublic(type, username, caller)
      const record = document.data as unknown as ProfileRecord
      return (await roleOf(profile, caller)) === 'owner' ? { ...record, email: profile.email } : record
    },

    /** The profile of an id that the caller may know of, read afresh. */
    async get(id: number, caller?: Caller | undefined): Promise<Profile> {
      return visible(await read.profiles.get(id), caller)
    },

    /** The profile of a DID of this service that the caller may know of. */
    async byDid(did: string, caller?: Caller | undefined): Promise<Profile> {
      const name = parseDid(publicUrl, did)
      if (!name) throw profileNotFound()
      return find(name.type, name.username, caller)
    },

    didOf: (profile: Pick<Profile, 'type' | 'username'>): string => didOf(publicUrl, profile),
    /** The canonical URL, for bodies and everything that is stored. */
    urlOf: (profile: Pick<Profile, 'type' | 'username'>): string => `${publicUrl}${profilePath(profile)}`,

    /**
     * Whether a username is free within a type; without a type, everywhere. The name of an account is kept for its own
     * person.
     */
    async checkUsername(username: string, type?: ProfileType | undefined): Promise<boolean> {
      if (isReservedUsername(username) || !isUsername(username)) return false
      const taken = await read.profiles.listTypesOf(username, clock())
      if (type === undefined ? taken.length > 0 : taken.includes(type)) return false
      const ofAccounts = type === undefined || type === 'person'
      return !ofAccounts || (await read.accounts.getByUsername(username)) === undefined
    },

    /**
     * Makes a profile that the caller owns.
     *
     * @throws `username_reserved`, or `username_taken` also when somebody else is faster
     */
    async create({ type, username, ...edits }: ProfileDraft, caller: Caller): Promise<Profile> {
      if (isReservedUsername(username)) throw usernameReserved()
      const ownerAccountId = caller.account.id
      return write(async (tx, emit) => {
        // An account that is leaving takes its profiles along; one made meanwhile would stay behind.
        const owner = await tx.accounts.lock(ownerAccountId)
        if (!owner || owner.deletionScheduledAt) throw unauthenticated()
        const namesake = type === 'person' ? await tx.accounts.getByUsername(username) : undefined
        if (namesake && namesake.id !== ownerAccountId) throw usernameTaken()
        const blank = blankProfile({ ownerAccountId, type, username, fullName: null, at: clock() })
        const profile = await tx.profiles.insert({ ...blank, ...edits })
        if (!profile) throw usernameTaken()
        emit('profiles.profile_created', { type, username }, { profileId: profile.id, accountId: ownerAccountId })
        return profile
      })
    },

    /** Changes the named fields and leaves the others; a change of nothing is no change. */
    async update(type: ProfileType, username: string, edits: ProfileEdits, caller: Caller): Promise<Profile> {
      const { id } = await find(type, username, caller)
      return write(async (tx, emit) => {
        const profile = await lockFor(tx, id, caller, 'profile.edit')
        const fields = changedFields(profile, edits)
        if (fields.length === 0) return profile
        const saved = await tx.profiles.save(id, { ...edits, updatedAt: clock() })
        if (!saved) throw profileNotFound()
        const origin = { profileId: id, accountId: caller.account.id }
        emit('profiles.profile_updated', { type, username, fields }, origin)
        return saved
      })
    },

    /** Removes a profile and everything that belongs to it, for good. */
    async delete(type: ProfileType, username: string, caller: Caller): Promise<void> {
      const { id } = await find(type, username, caller)
      await write(async (tx, emit) => {
        await lockFor(tx, id, caller, 'profile.delete')
        await tx.profiles.delete(id)
        emit('profiles.profile_deleted', { type, username }, { profileId: id, accountId: caller.account.id })
      })
    },

    /** The public changes of a profile behind a cursor, oldest first. */
    async getChangelog(
      type: ProfileType,
      username: string,
      request: { readonly limit: number; readonly cursor?: string | undefined },
      caller?: Caller | undefined,
    ): Promise<{ view: ProfileView; page: ChangelogPage }> {
      const view = await getPublic(type, username, caller)
      return { view, page: await readChangelog(read.events, view, request, publicUrl) }
    },

    /** The DID document of a profile that the caller may know of. */
    async getDidDocument(
      type: ProfileType,
      username: string,
      caller?: Caller | undefined,
    ): Promise<{ profile: Profile; didDocument: JsonObject }> {
      const profile = await find(type, username, caller)
      return { profile, didDocument: profileDidDocument(profile, publicUrl, keyring.publicKeys) }
    },
  }
}

/** The profiles of the service. */
export type ProfileService = ReturnType<typeof createProfileService>
