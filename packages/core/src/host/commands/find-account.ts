import type { Account } from '../../ports/storage/accounts.ts'
import type { Storage } from '../../ports/storage/storage.ts'
import { CommandError } from './command.ts'

/**
 * Returns the account with an email address.
 *
 * @throws {CommandError} when no account has it
 */
export async function findAccount({ read }: Pick<Storage, 'read'>, email: string): Promise<Account> {
  const account = await read.accounts.get({ email: email.toLowerCase() })
  if (!account) throw new CommandError(`No account has the email address ${email}`)
  return account
}
