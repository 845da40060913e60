import { listResponse } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, type RouteConfig, routeConfig } from '../../../http/routes.ts'
import { sessionRequired } from '../../../kernel/errors.ts'
import { notProfileOwner, profileNotFound } from '../../profiles/profiles/index.ts'
import { apiKeyNotFound, keyScopeEscalation, tooManyApiKeys } from './errors.ts'
import { issuedKeySchema, keyListSchema, keyParams, newKeyBody, revokedSchema, rotateQuery } from './schemas.ts'
import { serializeIssuedKey, serializeListedKey } from './serialize.ts'
import type { ApiKeyService } from './service.ts'

const keyRouteConfig = (route: Pick<RouteConfig, 'operationId' | 'summary' | 'errors' | 'recent'>) =>
  routeConfig({ ...route, auth: 'key', scope: 'manage:keys', tag: 'api keys' })

/** The keys of an account. */
export function apiKeyRoutes(
  app: EepRoutes,
  { apiKeys }: { readonly apiKeys: ApiKeyService },
  { scopes }: { readonly scopes: readonly string[] },
): void {
  app.post(
    '/api-keys',
    {
      config: keyRouteConfig({
        recent: true,
        operationId: 'createApiKey',
        summary: 'Create an API key; its text is shown only once',
        errors: [sessionRequired, keyScopeEscalation, profileNotFound, notProfileOwner, tooManyApiKeys],
      }),
      schema: { body: newKeyBody(scopes), response: { 201: issuedKeySchema } },
    },
    async (request, reply) => {
      const { name, scopes, expires_at: end, profile_id: profileId } = request.body
      const expiresAt = typeof end === 'string' ? new Date(end) : end
      reply.code(201).header('cache-control', 'no-store')
      return serializeIssuedKey(await apiKeys.create({ name, scopes, expiresAt, profileId }, callerOf(request)))
    },
  )

  app.get(
    '/api-keys',
    {
      config: keyRouteConfig({
        operationId: 'listApiKeys',
        summary: 'List the valid API keys of the account, masked, with their usage',
      }),
      schema: { response: { 200: keyListSchema } },
    },
    async (request, reply) => {
      const items = await apiKeys.list(callerOf(request))
      reply.header('cache-control', 'private, no-store')
      return listResponse({ items, total: items.length }, serializeListedKey)
    },
  )

  app.delete(
    '/api-keys/:id',
    {
      config: keyRouteConfig({ operationId: 'deleteApiKey', summary: 'Revoke an API key', errors: [apiKeyNotFound] }),
      schema: { params: keyParams, response: { 200: revokedSchema } },
    },
    async (request) => {
      await apiKeys.revoke(request.params.id, callerOf(request))
      return { success: true as const }
    },
  )

  app.post(
    '/api-keys/:id/regenerate',
    {
      config: keyRouteConfig({
        recent: true,
        operationId: 'regenerateApiKey',
        summary: 'Rotate an API key; `cascade` revokes the keys created with it',
        errors: [sessionRequired, apiKeyNotFound, keyScopeEscalation],
      }),
      schema: { params: keyParams, querystring: rotateQuery, response: { 200: issuedKeySchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const cascade = request.query.cascade === 'true'
      return serializeIssuedKey(await apiKeys.rotate(request.params.id, callerOf(request), { cascade }))
    },
  )
}
