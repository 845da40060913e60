import type { TakeOverStep } from '../../../framework/module/context.ts'
import type { Account } from '../../../ports/storage/accounts.ts'
import type { Profile, Visibility } from '../../../ports/storage/profiles.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import { emailNotVerified } from './errors.ts'
import { profileUpdated } from './events.ts'

/** Profiles that are read at a time. */
const PAGE = 100

type Shown = Pick<Profile, 'visibility' | 'visibilityOnceVerified'>
type Owner = Pick<Account, 'emailOwned'>

/**
 * Returns the visibility of a new profile. With the rule that profiles are public only after the email address of their owner
 * is verified, one of an owner who does not own an address is private until then. No other code decides this.
 */
export const firstVisibility = (wanted: Visibility, afterVerification: boolean, owner: Owner): Shown =>
  !afterVerification || owner.emailOwned || wanted === 'private'
    ? { visibility: wanted, visibilityOnceVerified: null }
    : { visibility: 'private', visibilityOnceVerified: wanted }

/** Returns the visibility of a profile that gets another owner, by the same rule. */
export const visibilityWithOwner = (profile: Shown, afterVerification: boolean, owner: Owner): Shown =>
  firstVisibility(profile.visibilityOnceVerified ?? profile.visibility, afterVerification, owner)

/**
 * Rejects a change that would show a profile to others although its owner has no verified email address.
 *
 * @throws `email_not_verified`
 */
export function requirePublishable(wanted: Visibility, afterVerification: boolean, owner: Owner | undefined): void {
  if (afterVerification && wanted !== 'private' && owner?.emailOwned !== true) throw emailNotVerified()
}

/** Shows the profiles of a locked account that waited for its verified email address. */
export async function showVerified(tx: Stores, emit: Emit, accountId: string): Promise<void> {
  for await (const profile of waitingProfiles(tx, accountId)) {
    const { id: profileId, type, username, visibility: previousVisibility, updatedAt } = profile
    const visibility = profile.visibilityOnceVerified
    await tx.profiles.save(profileId, { visibility, visibilityOnceVerified: null, updatedAt })
    emit(
      profileUpdated,
      { type, username, fields: ['visibility'], visibility, previousVisibility },
      { profileId, accountId },
    )
  }
}

/**
 * Leaves the profiles of an account private that waited for its verified email address. For a takeover: another person
 * may have written them, so they must not become public in the name of the owner of the address.
 */
export const keepPrivate: TakeOverStep = async (tx, _emit, accountId) => {
  for await (const { id, updatedAt } of waitingProfiles(tx, accountId)) {
    await tx.profiles.save(id, { visibilityOnceVerified: null, updatedAt })
  }
}

type Waiting = Profile & { readonly visibilityOnceVerified: Exclude<Visibility, 'private'> }

const isWaiting = (profile: Profile | undefined): profile is Waiting =>
  profile !== undefined && profile.visibilityOnceVerified !== null

/** The profiles of a locked account that wait for its verified email address, each locked. */
async function* waitingProfiles(tx: Stores, accountId: string): AsyncGenerator<Waiting> {
  let cursor: string | undefined
  do {
    const page = await tx.profiles.listOfAccount(accountId, { limit: PAGE, cursor })
    for (const { id } of page.items.filter(isWaiting)) {
      const profile = await tx.profiles.lock(id)
      // A concurrent request may have ended the waiting, or transferred the profile, before the lock.
      if (isWaiting(profile) && profile.ownerAccountId === accountId) yield profile
    }
    cursor = page.nextCursor
  } while (cursor !== undefined)
}
