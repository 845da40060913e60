import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { RouteConfig } from '../routes.ts'
import { describedRoutes, requireUniqueOperationIds } from './described-routes.ts'
import type { RegisteredRoute } from './registered-route.ts'

const route = (path: string, config: Partial<RouteConfig> = {}, method = 'GET'): RegisteredRoute => ({
  method,
  path,
  schema: undefined,
  config: { auth: 'none', tag: 'notes', operationId: 'getNote', summary: 'A note', ...config },
})

describe('the described routes', () => {
  const family = { path: '/:color/:id', params: z.object({ color: z.enum(['red', 'blue']) }) }

  it('describes a family of routes as one operation per method', () => {
    const routes = [
      route('/red/:id', { family }),
      route('/blue/:id', { family }),
      route('/blue/:id', { family, operationId: 'deleteNote' }, 'DELETE'),
    ]
    expect(describedRoutes(routes).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /:color/:id',
      'DELETE /:color/:id',
    ])
  })

  it('omits aliases from the description', () => {
    expect(describedRoutes([route('/notes/:id'), route('/note/:id', { alias: true })])).toHaveLength(1)
  })
})

it('rejects two routes with the same operationId, and names both', () => {
  const routes = [route('/notes/:id'), route('/old-notes/:id')]
  expect(() => requireUniqueOperationIds(routes)).toThrow(
    new TypeError('"getNote" is the operationId of GET /notes/:id and GET /old-notes/:id'),
  )
  expect(() => requireUniqueOperationIds(routes.slice(1))).not.toThrow()
})
