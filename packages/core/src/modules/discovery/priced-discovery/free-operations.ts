import type { Operation } from './operations.ts'

/** A route that anyone may request without an account. */
export interface FreeRoute {
  /** As in OpenAPI: `/u/{username}`. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
}

/** The free routes that a buyer needs, with the parameters without which they make no sense. */
const FREE = [
  {
    path: '/search',
    parameters: [{ name: 'q', in: 'query', required: true, schema: { type: 'string' }, example: 'notes' }],
  },
  { path: '/discover', parameters: [] },
  { path: '/discovery/resources', parameters: [] },
  { path: '/docs/payments', parameters: [] },
  { path: '/.well-known/jwks.json', parameters: [] },
] as const

/** The free operations of a listener: those of the list that are among its routes of GET. */
export function freeOperations(routes: readonly FreeRoute[]): readonly Operation[] {
  return FREE.flatMap(({ path, parameters }) => {
    const route = routes.find((one) => one.path === path)
    if (!route) return []
    const { operationId, summary } = route
    const responses = { 200: { description: 'The document', content: { 'application/json': { schema: {} } } } }
    const listed = parameters.map((parameter) => ({ ...parameter }))
    const operation = {
      operationId,
      summary,
      ...(listed.length > 0 && { parameters: listed }),
      security: [],
      responses,
    }
    return [{ path, operation }]
  })
}
