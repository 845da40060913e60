import type { EndAddedStep, TakeOverStep } from '../../../framework/module/context.ts'
import { identityUnlinked } from './events.ts'

/** Unlinks every sign-in provider of an account. */
export const unlinkIdentities: TakeOverStep<'identities'> = async (tx, _emit, accountId) => {
  await tx.identities.deleteOfAccount(accountId)
}

/** Unlinks the sign-in providers that were linked to an account since a time. */
export const unlinkAddedIdentities: EndAddedStep<'identities'> = async (tx, emit, accountId, { since }) => {
  for (const identity of await tx.identities.listOfAccount(accountId)) {
    if (identity.createdAt < since) continue
    await tx.identities.delete(identity)
    emit(identityUnlinked, { accountId, provider: identity.provider }, { accountId })
  }
}
