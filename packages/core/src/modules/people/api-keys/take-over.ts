import type { TakeOverStep } from '../../../framework/module/context.ts'
import { keyRevoked } from './events.ts'

/** Revokes every API key of an account. */
export const revokeApiKeys: TakeOverStep<'apiKeys'> = async (tx, emit, accountId, at) => {
  for (const key of await tx.apiKeys.listOfAccount(accountId)) {
    for (const { id: keyId } of await tx.apiKeys.revoke(key.id, accountId, at)) {
      emit(keyRevoked, { keyId }, { accountId })
    }
  }
}
