import type { Readers } from '../../../ports/storage/storage.ts'

/** The id of the person profile of an account, by which notifications name the account. */
export async function personProfileOf(
  accountId: string | null,
  read: Pick<Readers, 'accounts' | 'profiles'>,
): Promise<number | null> {
  const account = accountId === null ? undefined : await read.accounts.get(accountId)
  const person = account && (await read.profiles.get({ type: 'person', username: account.username }))
  return person && person.ownerAccountId === accountId ? person.id : null
}
