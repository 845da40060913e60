import type { AddedPart } from '../../../framework/module/profile-part.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import type { Caller } from '../../../model/caller.ts'
import type { May } from '../../../model/permission.ts'
import type { ProfileType } from '../../../model/profile-type.ts'
import { isVisible } from '../../../model/visibility.ts'
import type { Account } from '../../../ports/storage/accounts.ts'
import type { Profile, ProfileName, Visibility } from '../../../ports/storage/profiles.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { NameHashes } from '../../../runtime/storage/name-hashes.ts'
import type { ReadCache } from '../../../runtime/storage/read-cache.ts'
import { createAccess } from './access.ts'
import { type ChangelogPage, type ChangelogRequest, loadChanges, NO_CHANGES, pageOfChanges } from './changelog.ts'
import { didOf, parseDid, profilePath } from './did.ts'
import { profileDidDocument } from './did-document.ts'
import { createEditing, type ProfileDraft, type ProfileUpdate } from './editing.ts'
import type { ProfileEdits } from './edits.ts'
import { profileNotFound } from './errors.ts'
import { createLinkKeys } from './link-keys.ts'
import { createLookup, type TrustOf } from './lookup.ts'
import { visibilityWithOwner } from './publication.ts'
import { createPartReader } from './read-parts.ts'
import { createReserveNames } from './reserve-names.ts'
import type { OnPartFailure } from './safe-part.ts'
import type { ProfileRecord } from './schemas.ts'
import { isReservedUsername, isUsername } from './username.ts'
import { type FollowedEvents, partSubject } from './view.ts'

export interface ProfileDeps extends GuardedStorage {
  readonly clock: Clock
  readonly cache: ReadCache
  readonly may: May
  readonly keyring: Pick<Keyring, 'publicKeys' | 'shared'>
  readonly publicUrl: string
  readonly nameHashes: NameHashes
  /** Whether profiles are private until the email address of their owner is verified. */
  readonly publicAfterVerification: boolean
  readonly trustOf: TrustOf
  /** How the events of profiles can be followed. */
  readonly events: FollowedEvents
  /** What other modules add to profiles. */
  readonly parts: readonly AddedPart[]
  /** Receives the error of a part that is left out. */
  readonly onPartFailure: OnPartFailure
  /** The types of the events that changelogs consist of. */
  readonly changelogTypes: readonly string[]
}

export function createProfileService(deps: ProfileDeps) {
  const { read, write, clock, cache, keyring, publicUrl, nameHashes, trustOf, changelogTypes } = deps
  const { roleOf, assertVisible, requirePermission, lockWithPermission, requirePermissionIn } = createAccess({
    read,
    cache,
    may: deps.may,
  })

  const linkKeys = createLinkKeys(keyring)
  const { find, findRedacted, portraitOf, getDocument, getWholeDocument, byFormerName, byAddress, wasDeleted } =
    createLookup({
      read,
      cache,
      clock,
      publicUrl,
      linkKeys,
      trustOf,
      events: deps.events,
      readParts: createPartReader({ read, parts: deps.parts, onPartFailure: deps.onPartFailure }),
      assertVisible,
      nameHashes,
    })
  const reserveNames = createReserveNames(nameHashes)
  const changelog = { ...deps, types: changelogTypes, linkKeys }
  /** A profile as its parts see it, without its gate. */
  const subjectOf = (profile: Profile) => partSubject({ profile, gates: undefined, linkKeys }, publicUrl)
  const files = deps.parts.find(({ part }) => part.key === 'files')?.part
  const editing = createEditing({
    write,
    clock,
    publicAfterVerification: deps.publicAfterVerification,
    didOf: (profile) => didOf(publicUrl, profile),
    lockWithPermission,
    reserveNames,
    deleteFiles: files?.deleteItems?.bind(files),
  })

  return {
    publicUrl,
    linkKeys,
    subjectOf,
    roleOf,
    /**
     * Returns a profile that was read from the storage or the cache, if the caller may see it.
     *
     * @throws `profile_not_found`
     */
    assertVisible,
    requirePermission,
    lockWithPermission,
    requirePermissionIn,
    find,
    findRedacted,
    portraitOf,
    getDocument,
    getWholeDocument,
    byFormerName,
    byAddress,
    wasDeleted,
    /** Returns the visibility of a profile that gets another owner. */
    visibilityWithOwner: (profile: Profile, owner: Pick<Account, 'emailOwned'>) =>
      visibilityWithOwner(profile, deps.publicAfterVerification, owner),

    async getRecord(type: ProfileType, username: string, caller?: Caller | undefined): Promise<ProfileRecord> {
      const { profile, document, whole } = await getDocument(type, username, caller)
      const role = await roleOf(profile, caller)
      // Documents are plain JSON; the schema of the record describes the same document.
      const record = (role === undefined ? document : whole.document).data as unknown as ProfileRecord
      return role === 'owner' ? { ...record, email: profile.email } : record
    },

    async get(id: number, caller?: Caller | undefined): Promise<Profile> {
      const profile = await assertVisible(await read.profiles.get(id), caller)
      const isListed = isVisible(profile, 'lists')
      if (!isListed && (await roleOf(profile, caller)) === undefined) throw profileNotFound()
      return profile
    },

    /** Returns the profile of a record that the caller can read, such as a receipt; also an unlisted one. */
    async getEvenIfUnlisted(id: number, caller?: Caller | undefined): Promise<Profile> {
      return assertVisible(await read.profiles.get(id), caller)
    },

    async byDid(did: string, caller?: Caller | undefined): Promise<Profile> {
      const name = parseDid(publicUrl, did)
      if (!name) throw profileNotFound()
      return find(name.type, name.username, caller)
    },

    nameOf: (did: string): ProfileName | undefined => parseDid(publicUrl, did),
    didOf: (profile: Pick<Profile, 'type' | 'username'>): string => didOf(publicUrl, profile),
    urlOf: (profile: Pick<Profile, 'type' | 'username'>): string => `${publicUrl}${profilePath(profile)}`,

    async checkUsername(username: string, type?: ProfileType | undefined): Promise<boolean> {
      if (isReservedUsername(username) || !isUsername(username)) return false
      const taken = await read.profiles.listTypesOf(username, clock())
      if (type === undefined ? taken.length > 0 : taken.includes(type)) return false
      const ofAccounts = type === undefined || type === 'person'
      return !ofAccounts || (await read.accounts.get({ username })) === undefined
    },

    create: (draft: ProfileDraft, caller: Caller): Promise<Profile> => editing.create(draft, caller),

    async update(type: ProfileType, username: string, changes: ProfileUpdate, caller: Caller): Promise<Profile> {
      return editing.update(await find(type, username, caller), changes, caller)
    },

    /** Changes the given fields of the profile with an id. */
    async updateById(id: number, edits: ProfileEdits, caller: Caller): Promise<Profile> {
      return editing.update(await assertVisible(await read.profiles.get(id), caller), edits, caller)
    },

    /** Sets the visibility of the profile with an id. `private` also keeps one private that waits for a verified address. */
    async setVisibility(id: number, visibility: Visibility, caller: Caller): Promise<Profile> {
      const profile = await assertVisible(await read.profiles.get(id), caller)
      return editing.update(profile, { visibility, choosesVisibility: true }, caller)
    },

    /** Reserves the names of a profile, in the transaction that deletes it. */
    reserveNames: (tx: Stores, profile: Profile): Promise<void> => reserveNames(tx, profile, clock()),

    async delete(type: ProfileType, username: string, caller: Caller): Promise<void> {
      await editing.delete(await find(type, username, caller), caller)
    },

    /**
     * Returns the public changes of a profile that the caller may see, as far back as its changelog reaches.
     *
     * @throws `invalid_cursor`; `changelog_expired` when it does not reach back to `since`
     */
    async getChangelog({ id }: Pick<Profile, 'id'>, request: ChangelogRequest): Promise<ChangelogPage> {
      // The profile is read again here: one that was read before a change must not be cached after it.
      const changes = await cache.getOrLastSeen(`changelog:${id}`, async () => {
        const now = await read.profiles.get(id)
        const { changes, hasFailed } = now ? await loadChanges(changelog, now) : NO_CHANGES
        // What a failed part left out is read again at the next request.
        return { value: changes, profileId: hasFailed ? undefined : now?.id }
      })
      return pageOfChanges(changes, request)
    },

    /** Returns the DID document of a profile that the caller may see. */
    async getDidDocument(profile: Profile): Promise<JsonObject> {
      const former = (await read.profileNames?.listFormer(profile.id, clock())) ?? []
      return profileDidDocument(profile, publicUrl, keyring.publicKeys, former)
    },
  }
}

/** The profiles of the service. */
export type ProfileService = ReturnType<typeof createProfileService>
