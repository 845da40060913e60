import type { Clock } from '../../../kernel/clock.ts'
import { MINUTE_MS } from '../../../kernel/durations.ts'
import type { Account } from '../../../model/account.ts'
import type { AppConnection } from '../../../ports/storage/connected-apps.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { AuthenticateClient, ClientCredentials } from './clients/client-authentication.ts'
import { isDocumentAddress } from './clients/client-id.ts'
import type { ResolveContext } from './clients/resolve-client.ts'
import { type Grants, isActive } from './grants.ts'
import { emitEnded } from './issue.ts'
import { oauthError } from './oauth-error.ts'
import { effectiveScopes } from './scopes.ts'
import { hashOf, isAccessToken, PREFIXES } from './tokens.ts'

/** How far the clocks of instances may differ when a token expires. */
const TOLERANCE_MS = 5_000
const MAX_TOUCHED = 10_000

/** What an access token proves. */
export interface AppAccess {
  readonly account: Account
  readonly connection: AppConnection
  /** Those of the connection now, within those that the token was issued with. */
  readonly scopes: readonly string[]
  /** The addresses that the token holds for. */
  readonly resources: readonly string[]
  readonly issuedAt: Date
  readonly expiresAt: Date
}

export interface AccessDeps extends GuardedStorage<'connectedApps'> {
  readonly clock: Clock
  readonly authenticate: AuthenticateClient
  readonly grants: Pick<Grants, 'connectionOf'>
  /** Called when the last use of a connection could not be stored. */
  readonly onError: (error: unknown) => void
}

/** Access tokens in use: reading, revoking. */
export function createAccess({ read, write, clock, authenticate, grants, onError }: AccessDeps) {
  /** When this instance last stored the use of a connection, the oldest first. */
  const touched = new Map<string, number>()

  function touch(id: string, at: Date): void {
    if (at.getTime() - (touched.get(id) ?? Number.NEGATIVE_INFINITY) < MINUTE_MS) return
    touched.delete(id)
    touched.set(id, at.getTime())
    const [oldest] = touched.keys()
    if (touched.size > MAX_TOUCHED && oldest !== undefined) touched.delete(oldest)
    write((tx) => tx.connectedApps.touch(id, at)).catch(onError)
  }

  async function find(token: string): Promise<AppAccess | undefined> {
    if (!isAccessToken(token)) return undefined
    const found = await read.connectedApps.getByAccessHash(hashOf(token), new Date(clock().getTime() - TOLERANCE_MS))
    if (!found || !isActive(found.account)) return undefined
    const { token: stored, connection, account } = found
    return {
      account,
      connection,
      scopes: effectiveScopes(stored.scopes, connection.scopes),
      resources: stored.resources ?? connection.resources,
      issuedAt: stored.createdAt,
      expiresAt: stored.expiresAt,
    }
  }

  return {
    find,

    /** Returns what an access token proves, and counts it as a use of its connection. Undefined when it is not valid. */
    async use(token: string): Promise<AppAccess | undefined> {
      const access = await find(token)
      if (access) touch(access.connection.id, clock())
      return access
    },

    /**
     * Revokes a token (RFC 7009): a refresh token ends its connection, an access token ends alone. An unknown token is not an error.
     *
     * @throws `invalid_client`; `invalid_grant` for a token of another app, which does not end
     */
    async revoke(token: string, client: ClientCredentials, context: ResolveContext): Promise<void> {
      const isAccess = token.startsWith(PREFIXES.access)
      const found = isAccess ? await find(token) : await grants.connectionOf(token)
      if (!found) {
        // No document is fetched for a client without a token.
        if (!isDocumentAddress(client.clientId)) await authenticate(client, context, { opens: false })
        return
      }
      const { accountId, id, app } = found.connection
      if (app.clientId !== client.clientId) throw oauthError('invalid_grant', 'The token belongs to another app')
      await authenticate(client, { ...context, signedIn: accountId }, { opens: false })
      await write(async (tx, emit) => {
        if (isAccess) {
          await tx.connectedApps.deleteToken(hashOf(token))
          return
        }
        const ended = await tx.connectedApps.end(accountId, id, 'app', clock())
        if (ended) emitEnded(emit, ended)
      })
    },
  }
}

/** Access tokens in use. */
export type Access = ReturnType<typeof createAccess>
