import type { Readers } from '../../../ports/storage/storage.ts'

/** The scopes of an API key of an account; undefined when it does not exist, is revoked, or has ended by a time. */
export async function scopesOfKey(
  { apiKeys }: Pick<Readers, 'apiKeys'>,
  { id, accountId }: { readonly id: number; readonly accountId: string },
  at: Date,
): Promise<readonly string[] | undefined> {
  const key = await apiKeys?.get(id, accountId)
  const isValid = key && key.revokedAt === null && (key.expiresAt === null || key.expiresAt > at)
  return isValid ? key.scopes : undefined
}
