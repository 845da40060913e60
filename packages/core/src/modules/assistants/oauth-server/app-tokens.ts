import type { ScopeDefinition } from '../../../framework/module/scope.ts'
import type { AppTokens } from '../../../http/pipeline/app-tokens.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { withoutIsolates } from '../../../kernel/isolation.ts'
import type { PageLanguage } from '../../../model/messages.ts'
import { scopeText } from '../../people/api-keys/index.ts'
import type { Access } from './access.ts'
import { limitsOfApp } from './app-limits.ts'
import { refusedToken } from './errors.ts'
import type { createLimitReached } from './limit-reached.ts'
import type { McpResource } from './metadata.ts'
import type { OAuthServerSettings } from './options.ts'
import { coversResource, resourcesOf } from './resource.ts'
import { BASIC_SCOPES, SPEND_PAYMENTS } from './scopes.ts'

export interface AppTokensDeps {
  readonly access: Pick<Access, 'use'>
  readonly clock: Clock
  readonly publicUrl: string
  /** Scopes that the operator does not grant any more count for nothing. */
  readonly grantable: readonly string[]
  readonly definitions: ReadonlyMap<string, ScopeDefinition>
  readonly onLimitReached: ReturnType<typeof createLimitReached>
  readonly options: Pick<OAuthServerSettings, 'paths' | 'spending'>
  /** What the module `mcp` said of itself. */
  readonly mcp: () => McpResource | undefined
}

const ENGLISH: PageLanguage = { language: 'en' }

/** An app that may pay also reads what it paid for. */
const heldWith = (scopes: readonly string[]): readonly string[] =>
  scopes.includes(SPEND_PAYMENTS) && !scopes.includes('read:content') ? [...scopes, 'read:content'] : scopes

/** Creates what identifies connected apps by their access tokens, and describes to clients how to connect. */
export function createAppTokens(deps: AppTokensDeps): AppTokens {
  const { access, clock, publicUrl, grantable, definitions, options, mcp } = deps
  const { origin, pathname } = new URL(publicUrl)
  const basePath = pathname.replace(/\/$/, '')

  return {
    async authenticate(token, resource) {
      const validToken = await access.use(token)
      const all = resourcesOf(publicUrl, mcp()?.path)
      if (!validToken || !coversResource(validToken.resources, `${publicUrl}${resource}`, all)) throw refusedToken()
      const { account, connection, scopes, expiresAt } = validToken
      const { id, app, reach, profileId, spender, spending } = connection
      // Bound to a profile that is gone, it must not act for the others.
      if (reach === 'one' && profileId === null) throw refusedToken()
      return {
        account,
        via: 'app',
        scopes: heldWith(scopes.filter((scope) => grantable.includes(scope))),
        isAdmin: false,
        app: {
          connectionId: id,
          name: app.name,
          host: app.host ?? undefined,
          checkedAt: clock(),
          spender,
          limits: limitsOfApp(options.spending, spending),
          onLimitReached: (reached) => deps.onLimitReached(connection, reached),
        },
        profileId: profileId ?? undefined,
        expiresAt,
      }
    },

    metadataUrl: (resource) => `${origin}/.well-known/oauth-protected-resource${basePath}${resource}`,

    scopesFor(resource) {
      const announced = mcp()
      const isAccount = announced !== undefined && resource === `${announced.path}/account`
      return (isAccount ? announced.accountScopes : BASIC_SCOPES).filter((scope) => grantable.includes(scope))
    },

    manageUrl: `${publicUrl}/account/apps`,

    flow: {
      authorizationUrl: `${publicUrl}${options.paths.authorize}`,
      tokenUrl: `${publicUrl}${options.paths.token}`,
      scopes: Object.fromEntries(
        grantable.map((name) => [name, withoutIsolates(scopeText(ENGLISH, definitions.get(name) ?? { name }))]),
      ),
    },
  }
}
