import type { Readers } from '../../../ports/storage/storage.ts'

/** Whether an account can sign in without a provider: it has a password, or a passkey where the service takes passkeys. */
export async function hasOwnSignIn(
  { accounts, passkeys }: Pick<Readers, 'accounts' | 'passkeys'>,
  accountId: string,
  { takesPasskeys }: { readonly takesPasskeys: boolean },
): Promise<boolean> {
  if (await accounts.getPasswordHash(accountId)) return true
  if (!takesPasskeys) return false
  return ((await passkeys?.listOfAccount(accountId)) ?? []).length > 0
}
