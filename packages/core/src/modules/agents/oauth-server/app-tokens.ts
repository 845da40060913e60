import type { Clock } from '../../../kernel/clock.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Access } from './access.ts'
import { refusedToken } from './errors.ts'
import type { McpResource } from './metadata.ts'
import { coversResource, resourcesOf } from './resource.ts'
import { BASIC_SCOPES } from './scopes.ts'

export interface AppTokensDeps {
  readonly access: Pick<Access, 'use'>
  readonly clock: Clock
  readonly publicUrl: string
  /** Scopes that the operator does not grant any more count for nothing. */
  readonly grantable: readonly string[]
  /** What the module `mcp` said of itself. */
  readonly mcp: () => McpResource | undefined
}

/** Creates what identifies connected apps by their access tokens, and tells clients how to connect. */
export function createAppTokens({ access, clock, publicUrl, grantable, mcp }: AppTokensDeps) {
  const { origin, pathname } = new URL(publicUrl)
  const basePath = pathname.replace(/\/$/, '')

  return {
    /**
     * Returns the caller of an access token.
     *
     * @param resource - the path of the protected resource that is asked: empty for the service itself
     * @throws `invalid_token`
     */
    async authenticate(token: string, resource: string): Promise<Caller> {
      const found = await access.use(token)
      const all = resourcesOf(publicUrl, mcp()?.path)
      if (!found || !coversResource(found.resources, `${publicUrl}${resource}`, all)) throw refusedToken()
      const { account, connection, scopes, expiresAt } = found
      const { id, app, reach, profileId } = connection
      // Bound to a profile that is gone, it must not act for the others.
      if (reach === 'one' && profileId === null) throw refusedToken()
      return {
        account,
        via: 'app',
        scopes: scopes.filter((scope) => grantable.includes(scope)),
        isAdmin: false,
        app: { connectionId: id, name: app.name, host: app.host ?? undefined, checkedAt: clock() },
        profileId: profileId ?? undefined,
        expiresAt,
      }
    },

    metadataUrl: (resource: string): string =>
      `${origin}/.well-known/oauth-protected-resource${basePath}${resource}`,

    scopesFor(resource: string): readonly string[] {
      const announced = mcp()
      const isAccount = announced !== undefined && resource === `${announced.path}/account`
      return (isAccount ? announced.accountScopes : BASIC_SCOPES).filter((scope) => grantable.includes(scope))
    },

    manageUrl: `${publicUrl}/account/apps`,
  }
}
