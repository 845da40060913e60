import type { EndAddedStep, TakeOverStep } from '../../../framework/module/context.ts'
import { passkeyDeleted } from './events.ts'

/** Deletes every passkey of an account. */
export const deletePasskeys: TakeOverStep<'passkeys'> = async (tx, _emit, accountId) => {
  await tx.passkeys.deleteOfAccount(accountId)
}

/** Deletes the passkeys that were added to an account since a time. */
export const deleteAddedPasskeys: EndAddedStep<'passkeys'> = async (tx, emit, accountId, { since }) => {
  for (const { id, createdAt } of await tx.passkeys.listOfAccount(accountId)) {
    if (createdAt < since || !(await tx.passkeys.delete(accountId, id))) continue
    emit(passkeyDeleted, { passkeyId: id }, { accountId })
  }
}
