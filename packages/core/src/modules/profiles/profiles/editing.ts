import type { ProfilePart } from '../../../framework/module/profile-part.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { sessionRequired, unauthenticated } from '../../../kernel/errors.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { type Caller, isLimited } from '../../../model/caller.ts'
import type { ProfileType } from '../../../model/profile-type.ts'
import { isVisible } from '../../../model/visibility.ts'
import type { Profile, ProfileApps } from '../../../ports/storage/profiles.ts'
import type { OptionalGroup, Stores } from '../../../ports/storage/storage.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockCaller } from '../../../runtime/storage/lock-caller.ts'
import type { ProfileAccess } from './access.ts'
import { changedFields, type ProfileEdits } from './edits.ts'
import { profileNotFound, tooManyDeletedProfiles, unknownFile, usernameReserved, usernameTaken } from './errors.ts'
import { didChanged, profileCreated, profileDeleted, profileUpdated } from './events.ts'
import { blankProfile } from './new-profile.ts'
import { firstVisibility, requirePublishable } from './publication.ts'
import { renameProfile } from './rename.ts'
import { isReservedUsername } from './username.ts'

/** The fields of a new profile. */
export interface ProfileDraft extends ProfileEdits {
  /** Default: `allowed`. */
  readonly apps?: ProfileApps | undefined
  readonly type: ProfileType
  readonly username: string
}

/** Changes of a profile. Only its owner may change the username. */
export interface ProfileUpdate extends ProfileEdits {
  readonly username?: string | undefined
  /** Computes the next `type_data` from the stored one. Runs while the profile is locked, so that no change is lost. */
  readonly typeDataFrom?: ((stored: JsonObject) => JsonObject) | undefined
  readonly filesToDelete?: readonly number[] | undefined
  /**
   * Whether `visibility` is an explicit choice, so that `private` keeps a profile private that would become public when its
   * owner verifies the email address. Otherwise a visibility that is repeated changes nothing. Default: false.
   */
  readonly choosesVisibility?: boolean | undefined
}

export interface EditingDeps extends Pick<GuardedStorage, 'write'> {
  readonly clock: Clock
  /** Whether profiles are private until the email address of their owner is verified. */
  readonly publicAfterVerification: boolean
  readonly didOf: (profile: Pick<Profile, 'type' | 'username'>) => string
  readonly lockWithPermission: ProfileAccess['lockWithPermission']
  /** Reserves the names of a profile, in the transaction that deletes it. */
  readonly reserveNames: (tx: Stores, profile: Profile, at: Date) => Promise<void>
  /** Deletes files of a profile; undefined in a service without files. */
  readonly deleteFiles?: ProfilePart<unknown, OptionalGroup>['deleteItems'] | undefined
}

const YEAR_MS = 365 * 86_400_000
const MAX_RESERVED_A_YEAR = 100
/** The records that are deleted in one transaction. */
const DELETED_AT_ONCE = 200

/**
 * Creates a profile in a transaction.
 *
 * @param publicAfterVerification - whether it is private until the email address of its owner is verified
 * @param createdAt - for a profile that is imported from another service. Default: `at`
 * @throws `username_reserved`, `username_taken`, `too_many_deleted_profiles`; `unauthenticated` when the account is gone
 */
export async function createWithin(
  tx: Stores,
  emit: Emit,
  { type, username, apps = 'allowed', ...edits }: ProfileDraft,
  {
    ownerAccountId,
    at,
    publicAfterVerification,
    createdAt = at,
  }: {
    readonly ownerAccountId: string
    readonly at: Date
    readonly publicAfterVerification: boolean
    readonly createdAt?: Date
  },
): Promise<Profile> {
  if (isReservedUsername(username)) throw usernameReserved()
  // An account in deletion withdraws its profiles. A profile that is created meanwhile would remain visible.
  const owner = await tx.accounts.lock(ownerAccountId)
  if (!owner || owner.deletionScheduledAt) throw unauthenticated()
  // The names of deleted profiles stay reserved, so the number of them per account is limited.
  const since = new Date(at.getTime() - YEAR_MS)
  if (((await tx.profileNames?.countReserved(ownerAccountId, since)) ?? 0) >= MAX_RESERVED_A_YEAR) {
    throw tooManyDeletedProfiles()
  }
  const namesake = type === 'person' ? await tx.accounts.get({ username }) : undefined
  if (namesake && namesake.id !== ownerAccountId) throw usernameTaken()
  const blank = blankProfile({ ownerAccountId, type, username, fullName: null, at: createdAt })
  const { visibility = blank.visibility } = edits
  const shown = firstVisibility(visibility, publicAfterVerification, owner)
  const profile = await tx.profiles.insert({ ...blank, ...edits, ...shown, apps })
  if (!profile) throw usernameTaken()
  emit(profileCreated, { type, username }, { profileId: profile.id, accountId: ownerAccountId })
  return profile
}

/** Deletes a profile. One with many records is hidden, and a worker deletes it in parts. */
async function deleteProfile(tx: Stores, id: number, at: Date): Promise<void> {
  if (tx.hiddenProfiles) await tx.hiddenProfiles.deleteOrHide(id, DELETED_AT_ONCE, at)
  else await tx.profiles.delete(id)
}

/** Creates, updates and deletes profiles. */
export function createEditing(deps: EditingDeps) {
  const { write, clock, publicAfterVerification, didOf, lockWithPermission, reserveNames } = deps

  /** Deletes files of a profile: all given ones, or none. */
  async function deleteFiles(tx: Stores, emit: Emit, profileId: number, ids: readonly number[], caller: Caller) {
    if (ids.length === 0) return
    const owner = { profileId, accountId: caller.account.id }
    // The module of files is on only when the storage has its groups.
    const deleted = new Set(await deps.deleteFiles?.(tx as Stores<OptionalGroup>, emit, owner, ids))
    const unknown = ids.filter((id) => !deleted.has(id))
    if (unknown.length > 0) throw unknownFile({ details: { files_to_delete: unknown } })
  }

  return {
    /** @throws `session_required` for a credential that acts for one profile */
    async create(draft: ProfileDraft, caller: Caller): Promise<Profile> {
      if (caller.profileId !== undefined) throw sessionRequired()
      return write(async (tx, emit) => {
        // A profile that is created after a takeover would be in the name of the owner of the address.
        const { id: ownerAccountId } = await lockCaller(tx, caller)
        return createWithin(tx, emit, draft, { ownerAccountId, at: clock(), publicAfterVerification })
      })
    },

    /** @throws `session_required` when a credential with scopes renames the profile */
    async update(
      { id, ownerAccountId }: Profile,
      { username, filesToDelete = [], typeDataFrom, choosesVisibility = false, ...others }: ProfileUpdate,
      caller: Caller,
    ): Promise<Profile> {
      return write(async (tx, emit) => {
        // Lock the account before the profile, as deletion does: its name may change too.
        if (username !== undefined) await tx.accounts.lock(ownerAccountId)
        const profile = await lockWithPermission(tx, id, caller, 'profile.edit')
        const edits = { ...others, ...(typeDataFrom && { typeData: typeDataFrom(profile.typeData) }) }
        // As `DELETE /files/{id}`: teams delete files one by one.
        if (filesToDelete.length > 0) await lockWithPermission(tx, id, caller, 'files.own')
        await deleteFiles(tx, emit, profile.id, filesToDelete, caller)
        const newName = username === profile.username ? undefined : username
        if (newName !== undefined && isLimited(caller)) throw sessionRequired()
        const at = clock()
        if (newName !== undefined) {
          await lockWithPermission(tx, id, caller, 'profile.rename')
          await renameProfile(tx, emit, profile, newName, at)
        }
        // Visibility is not part of the public document.
        const { visibility = profile.visibility } = edits
        const isChanged = visibility !== profile.visibility
        // An owner who chooses that a profile is private does not expect it to become public later.
        const endsWaiting =
          profile.visibilityOnceVerified !== null &&
          (isChanged || (choosesVisibility && edits.visibility !== undefined))
        if (isChanged || endsWaiting) await lockWithPermission(tx, id, caller, 'profile.show')
        if (isChanged) {
          requirePublishable(visibility, publicAfterVerification, await tx.accounts.get(profile.ownerAccountId))
        }
        const fields = [...(newName === undefined ? [] : ['username']), ...changedFields(profile, edits)]
        if (fields.length === 0 && !endsWaiting) return profile
        const updatedAt = fields.length === 0 ? profile.updatedAt : at
        const saved = await tx.profiles.save(id, {
          ...edits,
          ...(endsWaiting && { visibilityOnceVerified: null }),
          updatedAt,
        })
        if (!saved) throw profileNotFound()
        if (fields.length === 0) return saved
        const origin = { profileId: id, accountId: caller.account.id }
        const named = { type: saved.type, username: saved.username }
        const shows = saved.visibility !== profile.visibility
        const change = shows ? { visibility: saved.visibility, previousVisibility: profile.visibility } : {}
        emit(profileUpdated, { ...named, fields, ...change }, origin)
        if (newName !== undefined) {
          emit(didChanged, { ...named, did: didOf(saved), previousDid: didOf(profile) }, origin)
        }
        return saved
      })
    },

    async delete({ id, ownerAccountId }: Profile, caller: Caller): Promise<void> {
      await write(async (tx, emit) => {
        // Lock the account before the profile, as the purge of the account does.
        await tx.accounts.lock(ownerAccountId)
        const profile = await lockWithPermission(tx, id, caller, 'profile.delete')
        const { type, username } = profile
        await reserveNames(tx, profile, clock())
        await deleteProfile(tx, id, clock())
        const wasListed = isVisible(profile, 'lists')
        emit(profileDeleted, { type, username, wasListed }, { profileId: id, accountId: caller.account.id })
      })
    },
  }
}
