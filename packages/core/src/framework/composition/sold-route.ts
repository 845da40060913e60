import { z } from 'zod'
import type { RegisteredRoute } from '../../http/openapi/registered-route.ts'
import { GATE_ERRORS, PAID_REQUEST_ERRORS, type SoldEndpoint } from '../../modules/access/paywall/index.ts'

/** `api.daily_quotes` is `ApiDailyQuotes`. */
const camelCase = (resource: string) =>
  resource.replaceAll(/(?:^|[._])([a-z0-9])/g, (_, first: string) => first.toUpperCase())

/** Describes a route of the host that is sold, for OpenAPI. */
export function soldRoute(
  { method, path, resource, description, mimeType, schema = {}, charge }: SoldEndpoint,
  index: number,
  serverUrl: string,
): RegisteredRoute {
  const { params, querystring, body, response } = schema
  const { 200: answer = z.unknown() } = (response ?? {}) as Readonly<Record<number, unknown>>
  return {
    method,
    path,
    serverUrl,
    schema: { params, querystring, ...(method !== 'GET' && { body }), response: { 200: answer } },
    config: {
      auth: 'none',
      tag: 'sold',
      // Two routes may sell the same resource.
      operationId: `buy${camelCase(resource)}${index === 0 ? '' : index}`,
      summary: description,
      errors: [...GATE_ERRORS, ...(charge ? PAID_REQUEST_ERRORS : [])],
      produces: [mimeType],
    },
  }
}
