import type { Person } from './accounts.ts'
import { newKey } from './api-keys.ts'
import type { createTestApp } from './app.ts'

/** The caller of a request with a new API key of a user, as routes of hosts pass it on. */
export async function callerWithScopes(
  { app, storage }: Pick<Awaited<ReturnType<typeof createTestApp>>, 'app' | 'storage'>,
  user: Person,
  scopes: readonly string[],
) {
  const { id: keyId } = await newKey(app, user.headers, { scopes })
  const account = await storage.read.accounts.get(user.account.id)
  if (!account) throw new Error(`no account ${user.account.id}`)
  return { account, via: 'key', scopes, isAdmin: false, keyId } as const
}
