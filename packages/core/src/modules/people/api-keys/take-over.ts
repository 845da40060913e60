import type { EndAddedStep, TakeOverStep } from '../../../framework/module/context.ts'
import { keyRevoked } from './events.ts'

/** Revokes every API key of an account. */
export const revokeApiKeys: TakeOverStep<'apiKeys'> = async (tx, emit, accountId, at) => {
  for (const key of await tx.apiKeys.listOfAccount(accountId)) {
    for (const { id: keyId } of await tx.apiKeys.revoke(key.id, accountId, at)) {
      emit(keyRevoked, { keyId }, { accountId })
    }
  }
}

/** Revokes the API keys that were added to an account since a time; a rotated key counts as added. */
export const revokeAddedKeys: EndAddedStep<'apiKeys'> = async (tx, emit, accountId, { since, at }) => {
  for (const key of await tx.apiKeys.listOfAccount(accountId)) {
    if (key.createdAt < since) continue
    for (const { id: keyId } of await tx.apiKeys.revoke(key.id, accountId, at))
      emit(keyRevoked, { keyId }, { accountId })
  }
}
