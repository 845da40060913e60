import { z } from 'zod'
import { networkOf } from '../../../http/pipeline/client-address.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import type { Access } from './access.ts'
import { type ClientCredentials, isSecret, refusedClient } from './clients/client-authentication.ts'
import type { OAuthServerSettings } from './options.ts'
import { protocolRoutes } from './protocol-scope.routes.ts'
import { introspectBody, introspection, revokeBody } from './schemas.ts'
import { formatScope } from './scopes.ts'
import { credentialsOf } from './token.routes.ts'

const shared = { auth: 'none', hasOwnToken: true, encodedForm: true, limit: 'oauth', tag: 'oauth-server' } as const

/** The endpoint at which apps end their tokens (RFC 7009). */
export function revokeRoutes(app: EepRoutes, access: Pick<Access, 'revoke'>, path: string): void {
  protocolRoutes(app, 'form', 'invalid_request', (routes) => {
    routes.post(
      path,
      {
        config: routeConfig({
          ...shared,
          operationId: 'revokeOAuthToken',
          summary: 'Revoke a token of an app',
        }),
        schema: { body: revokeBody, response: { 200: z.object({}).meta({ id: 'RevokedToken' }) } },
      },
      async (request) => {
        await access.revoke(request.body.token, credentialsOf(request), { address: networkOf(request.ip) })
        return {}
      },
    )
  })
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000)

/** The endpoint at which the operator's other services ask whether a token is valid (RFC 7662). */
export function introspectRoutes(
  app: EepRoutes,
  access: Pick<Access, 'find'>,
  {
    path,
    resourceServers,
    issuer,
  }: Pick<OAuthServerSettings, 'resourceServers'> & { readonly path: string; readonly issuer: string },
): void {
  function requireServer(credentials: ClientCredentials): void {
    const { clientId, method } = credentials
    const server = resourceServers.find(({ id }) => id === clientId)
    const isBasic = method === 'secret' && credentials.isBasic
    if (!server || method !== 'secret' || !isSecret(credentials.secret, server.secretHash))
      throw refusedClient('Only a configured resource server may ask about tokens', isBasic)
  }

  protocolRoutes(app, 'form', 'invalid_request', (routes) => {
    routes.post(
      path,
      {
        config: routeConfig({
          ...shared,
          operationId: 'introspectOAuthToken',
          summary: 'Get what an access token proves, as a resource server',
        }),
        schema: { body: introspectBody, response: { 200: introspection } },
      },
      async (request) => {
        requireServer(credentialsOf(request))
        const validToken = await access.find(request.body.token)
        if (!validToken) return { active: false }
        const { account, connection, scopes, resources, issuedAt, expiresAt } = validToken
        return {
          active: true,
          scope: formatScope(scopes),
          client_id: connection.app.clientId,
          token_type: 'Bearer' as const,
          exp: seconds(expiresAt),
          iat: seconds(issuedAt),
          sub: account.id,
          aud: [...resources],
          iss: issuer,
        }
      },
    )
  })
}
