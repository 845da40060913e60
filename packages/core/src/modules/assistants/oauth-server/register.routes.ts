import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Seal } from '../../../kernel/seal.ts'
import { appName } from './clients/app.ts'
import { isUsableRedirect, type RedirectOptions, redirectKind } from './clients/redirect-uri.ts'
import { sealRegistration } from './clients/registered.ts'
import { GRANTS } from './metadata.ts'
import { oauthError } from './oauth-error.ts'
import { protocolRoutes } from './protocol-scope.routes.ts'
import { registerBody, registration } from './schemas.ts'

const MAX_REDIRECTS = 10

/**
 * The redirect URIs of a registration. Private-use schemes that the operator does not permit are left out, because apps list them beside
 * others.
 *
 * @throws `invalid_redirect_uri` for one that no app may use, and when none is left
 */
function usableRedirects(listed: readonly string[], redirects: RedirectOptions): readonly string[] {
  const unique = [...new Set(listed)]
  const usable = unique.filter((uri) => isUsableRedirect(uri, redirects))
  if (unique.some((uri) => !usable.includes(uri) && redirectKind(uri) !== 'private-use'))
    throw oauthError('invalid_redirect_uri', 'Redirect URIs must be https or loopback addresses without a fragment')
  if (usable.length === 0)
    throw oauthError('invalid_redirect_uri', 'This service permits none of the redirect URIs of this app')
  if (usable.length > MAX_REDIRECTS) throw oauthError('invalid_redirect_uri', 'An app may have 10 redirect URIs')
  return usable
}

export interface RegisterRouteOptions {
  readonly path: string
  readonly seal: Pick<Seal, 'seal'>
  readonly clock: Clock
  readonly redirects: RedirectOptions
  readonly grantable: readonly string[]
  readonly device: boolean
}

/** The endpoint at which apps register themselves (RFC 7591). Nothing is stored: the id contains the registration. */
export function registerRoutes(app: EepRoutes, options: RegisterRouteOptions): void {
  const { path, seal, clock, redirects, grantable, device } = options
  const supported: readonly string[] = [GRANTS.code, GRANTS.refresh, ...(device ? [GRANTS.device] : [])]

  protocolRoutes(app, 'json', 'invalid_client_metadata', (routes) => {
    routes.post(
      path,
      {
        config: routeConfig({
          auth: 'none',
          hasOwnToken: true,
          limit: 'oauth',
          tag: 'oauth-server',
          operationId: 'registerOAuthClient',
          summary: 'Register an app, without storing it',
        }),
        schema: { body: registerBody, response: { 201: registration } },
      },
      async (request, reply) => {
        const { client_name: claimed = '', client_uri: uri, grant_types: grants, scope, redirect_uris } = request.body
        const redirectUris = usableRedirects(redirect_uris, redirects)
        const name = appName(claimed)
        const clientUri = uri !== undefined && /^https?:\/\/[\x21-\x7e]+$/.test(uri) ? uri : undefined
        const clientId = sealRegistration({ name, redirectUris, clientUri }, seal)
        const asked = scope?.split(' ').filter((each) => grantable.includes(each))
        reply.code(201)
        return {
          client_id: clientId,
          client_id_issued_at: Math.floor(clock().getTime() / 1_000),
          ...(name !== '' && { client_name: name }),
          ...(clientUri !== undefined && { client_uri: clientUri }),
          redirect_uris: [...redirectUris],
          grant_types: (grants ?? [GRANTS.code, GRANTS.refresh]).filter((grant) => supported.includes(grant)),
          response_types: ['code'],
          token_endpoint_auth_method: 'none' as const,
          ...(asked && asked.length > 0 && { scope: asked.join(' ') }),
        }
      },
    )
  })
}
