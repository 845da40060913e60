import { randomBytes } from 'node:crypto'
import type { Emit } from '../../events/catalog.ts'
import type { Readers, Stores } from '../../ports/storage.ts'
import { blankProfile, usernameStem, usernameTaken } from '../profiles/index.ts'
import { emailTaken } from './errors.ts'
import type { Account, NewAccount } from './store.ts'

/**
 * Adds an account with its own person profile. Of many that want the same name at once one gets it; for the others the
 * transaction must fail.
 *
 * @throws `email_taken`, `username_taken`
 */
export async function insertAccount(tx: Stores, emit: Emit, account: NewAccount): Promise<Account> {
  const { id, email, username, fullName, createdAt: at } = account
  const made = await tx.accounts.insert(account)
  if (!made) throw (await tx.accounts.getByEmail(email)) ? emailTaken() : usernameTaken()
  const profile = await tx.profiles.insert(blankProfile({ ownerAccountId: id, type: 'person', username, fullName, at }))
  if (!profile) throw usernameTaken()
  const origin = { accountId: id, profileId: profile.id }
  emit('accounts.account_registered', { accountId: id, username }, origin)
  emit('profiles.profile_created', { type: 'person', username }, origin)
  return made
}

/** A username for somebody who did not choose one: near their name or address, and free at this moment, also as a person's. */
export async function freeUsername(
  read: Readers,
  user: { readonly email: string | null; readonly fullName: string | null },
  at: Date,
): Promise<string> {
  const stem = usernameStem(user)
  const [account, types] = await Promise.all([read.accounts.getByUsername(stem), read.profiles.listTypesOf(stem, at)])
  return account || types.includes('person') ? `${stem}-${randomBytes(4).toString('hex')}` : stem
}
