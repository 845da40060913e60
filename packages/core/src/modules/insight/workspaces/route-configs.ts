import { type RouteConfig, routeConfig } from '../../../http/routes.ts'

type Described = Pick<
  RouteConfig,
  'operationId' | 'summary' | 'errors' | 'secrets' | 'limit' | 'unavailable' | 'appScope'
>

const tag = 'workspaces'

/** Workspaces are private: no cache keeps their responses. */
export const NO_STORE = { 'cache-control': 'private, no-store' }

/** The configuration of a route that reads workspaces. */
export const reading = (route: Described) => routeConfig({ ...route, auth: 'key', scope: 'read:workspaces', tag })

/** The configuration of a route that writes to workspaces. */
export const writing = (route: Described) => routeConfig({ ...route, auth: 'key', scope: 'write:workspaces', tag })

/** The configuration of a route that grants roles. It needs a session: a key could exceed its scopes otherwise. */
export const granting = (route: Described) => routeConfig({ ...route, auth: 'bearer', tag })
