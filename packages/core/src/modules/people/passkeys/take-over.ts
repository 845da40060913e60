import type { TakeOverStep } from '../../../framework/module/context.ts'

/** Deletes every passkey of an account. */
export const deletePasskeys: TakeOverStep<'passkeys'> = async (tx, _emit, accountId) => {
  await tx.passkeys.deleteOfAccount(accountId)
}
