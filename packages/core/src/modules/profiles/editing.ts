import type { Emit } from '../../events/define-event.ts'
import type { Clock } from '../../kernel/clock.ts'
import { unauthenticated } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { Caller } from '../../model/caller.ts'
import type { ProfileType } from '../../model/profile-type.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import { isVisible, type ProfileAccess } from './access.ts'
import { changedFields, type ProfileEdits } from './edits.ts'
import { profileNotFound, tooManyDeletedProfiles, unknownFile, usernameReserved, usernameTaken } from './errors.ts'
import { didChanged, fileDeleted, profileCreated, profileDeleted, profileUpdated } from './events.ts'
import { blankProfile } from './new-profile.ts'
import { renameProfile } from './rename.ts'
import { isReservedUsername } from './username.ts'

/** The fields of a new profile. */
export interface ProfileDraft extends ProfileEdits {
  readonly type: ProfileType
  readonly username: string
}

/** Changes of a profile. Only its owner may change the username. */
export interface ProfileUpdate extends ProfileEdits {
  readonly username?: string | undefined
  /** Computes the next `type_data` from the stored one. Runs while the profile is locked, so that no change is lost. */
  readonly typeDataFrom?: ((stored: JsonObject) => JsonObject) | undefined
  readonly filesToDelete?: readonly number[] | undefined
}

export interface EditingDeps extends Pick<GuardedStorage, 'write'> {
  readonly clock: Clock
  readonly didOf: (profile: Pick<Profile, 'type' | 'username'>) => string
  readonly lockFor: ProfileAccess['lockFor']
  /** Reserves the names of a profile, in the transaction that deletes it. */
  readonly reserveNames: (tx: Stores, profile: Profile, at: Date) => Promise<void>
}

const YEAR_MS = 365 * 86_400_000
const MAX_RESERVED_A_YEAR = 100

/** Deletes files of a profile: all given ones, or none. */
async function deleteFiles(tx: Stores, emit: Emit, profileId: number, ids: readonly number[], caller: Caller) {
  if (ids.length === 0) return
  const deleted = new Set((await tx.files?.delete(profileId, ids))?.map(({ id }) => id))
  const unknown = ids.filter((id) => !deleted.has(id))
  if (unknown.length > 0) throw unknownFile({ details: { files_to_delete: unknown } })
  for (const fileId of ids) emit(fileDeleted, { fileId }, { profileId, accountId: caller.account.id })
}

/**
 * Creates a profile in a transaction.
 *
 * @param createdAt - for a profile that is imported from another service. Default: `at`
 * @throws `username_reserved`, `username_taken`, `too_many_deleted_profiles`; `unauthenticated` when the account is gone
 */
export async function createWithin(
  tx: Stores,
  emit: Emit,
  { type, username, ...edits }: ProfileDraft,
  {
    ownerAccountId,
    at,
    createdAt = at,
  }: { readonly ownerAccountId: string; readonly at: Date; readonly createdAt?: Date },
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
  const profile = await tx.profiles.insert({ ...blank, ...edits })
  if (!profile) throw usernameTaken()
  emit(profileCreated, { type, username }, { profileId: profile.id, accountId: ownerAccountId })
  return profile
}

/** Creates, updates and deletes profiles. */
export function createEditing({ write, clock, didOf, lockFor, reserveNames }: EditingDeps) {
  return {
    async create(draft: ProfileDraft, caller: Caller): Promise<Profile> {
      return write((tx, emit) => createWithin(tx, emit, draft, { ownerAccountId: caller.account.id, at: clock() }))
    },

    async update(
      { id, ownerAccountId }: Profile,
      { username, filesToDelete = [], typeDataFrom, ...others }: ProfileUpdate,
      caller: Caller,
    ): Promise<Profile> {
      return write(async (tx, emit) => {
        // Lock the account before the profile, as deletion does: its name may change too.
        if (username !== undefined) await tx.accounts.lock(ownerAccountId)
        const profile = await lockFor(tx, id, caller, 'profile.edit')
        const edits = { ...others, ...(typeDataFrom && { typeData: typeDataFrom(profile.typeData) }) }
        await deleteFiles(tx, emit, profile.id, filesToDelete, caller)
        const newName = username === profile.username ? undefined : username
        const at = clock()
        if (newName !== undefined) {
          await lockFor(tx, id, caller, 'profile.rename')
          await renameProfile(tx, emit, profile, newName, at)
        }
        // Visibility is not part of the public document.
        if (edits.visibility !== undefined && edits.visibility !== profile.visibility) {
          await lockFor(tx, id, caller, 'profile.show')
        }
        const fields = [...(newName === undefined ? [] : ['username']), ...changedFields(profile, edits)]
        if (fields.length === 0) return profile
        const saved = await tx.profiles.save(id, { ...edits, updatedAt: at })
        if (!saved) throw profileNotFound()
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
        const profile = await lockFor(tx, id, caller, 'profile.delete')
        const { type, username } = profile
        await reserveNames(tx, profile, clock())
        await tx.profiles.delete(id)
        const wasListed = isVisible(profile, 'lists')
        emit(profileDeleted, { type, username, wasListed }, { profileId: id, accountId: caller.account.id })
      })
    },
  }
}
