import { randomBytes } from 'node:crypto'
import type { Account, NewAccount } from '../../../ports/storage/accounts.ts'
import type { Readers, Stores } from '../../../ports/storage/storage.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import { profileCreated } from '../../profiles/profiles/events.ts'
import { blankProfile, firstVisibility, usernameStem, usernameTaken } from '../../profiles/profiles/index.ts'
import { emailTaken } from './errors.ts'
import { accountRegistered } from './events.ts'

/** How the person profile of a new account is shown. */
interface FirstProfile {
  /** Whether it waits for a verified email address. */
  readonly publicAfterVerification: boolean
  /** Whether it stays private until its owner publishes it: someone who came to buy did not ask for a page. Default: false */
  readonly isReader?: boolean | undefined
}

/**
 * Adds an account with its person profile, which is public, or private until the email address is verified. Of concurrent
 * requests for one username, one succeeds; for the others the transaction must fail.
 *
 * @throws `email_taken`, `username_taken`
 */
export async function insertAccount(
  tx: Stores,
  emit: Emit,
  account: NewAccount,
  { publicAfterVerification, isReader = false }: FirstProfile,
): Promise<Account> {
  const { id, email, username, fullName, createdAt: at } = account
  const made = await tx.accounts.insert(account)
  if (!made) throw (await tx.accounts.get({ email })) ? emailTaken() : usernameTaken()
  const blank = blankProfile({ ownerAccountId: id, type: 'person', username, fullName, at })
  const shown = firstVisibility(isReader ? 'private' : blank.visibility, publicAfterVerification, made)
  const profile = await tx.profiles.insert({ ...blank, ...shown })
  if (!profile) throw usernameTaken()
  const origin = { accountId: id, profileId: profile.id }
  emit(accountRegistered, { accountId: id, username }, origin)
  emit(profileCreated, { type: 'person', username }, origin)
  return made
}

/** A free username for a user who did not choose one, derived from name or address. It is free as a person profile too. */
export async function freeUsername(
  read: Readers,
  user: { readonly email: string | null; readonly fullName: string | null },
  at: Date,
): Promise<string> {
  const stem = usernameStem(user)
  const [account, types] = await Promise.all([
    read.accounts.get({ username: stem }),
    read.profiles.listTypesOf(stem, at),
  ])
  return account || types.includes('person') ? `${stem}-${randomBytes(4).toString('hex')}` : stem
}
