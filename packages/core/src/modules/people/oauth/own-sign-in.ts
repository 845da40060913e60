import type { Readers } from '../../../ports/storage/storage.ts'

/** Whether an account can sign in without a provider: it has a password or a passkey. */
export async function hasOwnSignIn(
  { accounts, passkeys }: Pick<Readers, 'accounts' | 'passkeys'>,
  accountId: string,
): Promise<boolean> {
  if (await accounts.getPasswordHash(accountId)) return true
  return ((await passkeys?.listOfAccount(accountId)) ?? []).length > 0
}
