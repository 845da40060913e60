import { DAY_MS } from '../../../kernel/durations.ts'
import { forbidden } from '../../../kernel/errors.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import { tooManyNames, usernameReserved, usernameTaken } from './errors.ts'
import { usernameChanged } from './events.ts'
import { isReservedUsername } from './username.ts'

/** How long a former name is kept and redirects to the profile. */
const KEPT_MS = 30 * DAY_MS

/** A limit, so that repeated renames do not reserve many names. */
const MAX_KEPT_NAMES = 5

/** The person profile of an account has the username of the account, so both are renamed. */
async function renameAccount(
  tx: Stores,
  emit: Emit,
  { id, ownerAccountId, username: before }: Profile,
  username: string,
) {
  const namesake = await tx.accounts.get({ username })
  if (namesake && namesake.id !== ownerAccountId) throw usernameTaken()
  const owner = await tx.accounts.get(ownerAccountId)
  if (owner?.username !== before) return
  if (!(await tx.accounts.save(ownerAccountId, { username }))) throw usernameTaken()
  const origin = { accountId: ownerAccountId, profileId: id }
  emit(usernameChanged, { accountId: ownerAccountId, username }, origin)
}

/**
 * Renames a profile. The former name redirects for 30 days and is not available to others during that time.
 *
 * @throws `username_reserved`, `username_taken`, `too_many_names`
 */
export async function renameProfile(
  tx: Stores,
  emit: Emit,
  profile: Profile,
  username: string,
  at: Date,
): Promise<void> {
  if (isReservedUsername(username)) throw usernameReserved()
  if (!tx.profileNames) throw forbidden({ message: 'Profiles cannot be renamed on this service' })
  const kept = await tx.profileNames.listFormer(profile.id, at)
  if (kept.length >= MAX_KEPT_NAMES && !kept.includes(username)) throw tooManyNames()
  if (profile.type === 'person') await renameAccount(tx, emit, profile, username)
  const keptUntil = new Date(at.getTime() + KEPT_MS)
  if (!(await tx.profileNames.rename(profile.id, { username, at, keptUntil }))) throw usernameTaken()
}
