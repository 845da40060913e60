import { openApiPath } from '../../../http/openapi/openapi.ts'
import type { RegisteredRoute } from '../../../http/openapi/registered-route.ts'
import type { Operation } from './operations.ts'

/** The free routes that a buyer needs, with the parameters without which they make no sense. */
const FREE = [
  {
    path: '/search',
    parameters: [{ name: 'q', in: 'query', required: true, schema: { type: 'string' }, example: 'notes' }],
  },
  { path: '/discover', parameters: [] },
  { path: '/docs/payments', parameters: [] },
  { path: '/.well-known/jwks.json', parameters: [] },
] as const

/** The free operations of a listener: those of the list that it has, that are configured, and that need no account. */
export function freeOperations(registered: readonly RegisteredRoute[]): readonly Operation[] {
  return FREE.flatMap(({ path, parameters }) => {
    const route = registered.find((one) => one.method === 'GET' && openApiPath(one.path) === path)
    if (!route || route.config.unavailable || route.config.auth !== 'none') return []
    const { operationId, summary } = route.config
    const responses = { 200: { description: 'The document', content: { 'application/json': { schema: {} } } } }
    const listed = parameters.map((parameter) => ({ ...parameter }))
    return [
      {
        path,
        operation: { operationId, summary, ...(listed.length > 0 && { parameters: listed }), security: [], responses },
      },
    ]
  })
}
