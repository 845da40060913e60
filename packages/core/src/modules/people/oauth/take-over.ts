import type { TakeOverStep } from '../../../framework/module/context.ts'

/** Unlinks every sign-in provider of an account. */
export const unlinkIdentities: TakeOverStep<'identities'> = async (tx, _emit, accountId) => {
  await tx.identities.deleteOfAccount(accountId)
}
