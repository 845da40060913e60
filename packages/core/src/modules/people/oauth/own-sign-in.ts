import type { Readers } from '../../../ports/storage/storage.ts'
import type { PasskeyService } from '../passkeys/index.ts'

/** Whether an account can sign in without a provider: it has a password, or a passkey where the service takes passkeys. */
export const hasOwnSignIn = async (
  reader: Pick<Readers, 'accounts' | 'passkeys'>,
  accountId: string,
  passkeys: Pick<PasskeyService, 'hasAny'> | undefined,
): Promise<boolean> =>
  Boolean(await reader.accounts.getPasswordHash(accountId)) || ((await passkeys?.hasAny(reader, accountId)) ?? false)
