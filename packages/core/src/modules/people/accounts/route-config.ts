import { type RouteConfig, routeConfig } from '../../../http/routes.ts'

/** Returns the configuration of a route below `/auth` that checks credentials, sends email or begins a sign-in: five a minute. */
export const authConfig = (route: Omit<RouteConfig, 'limit' | 'tag'>) =>
  routeConfig({ ...route, limit: 'auth', tag: 'auth' })

/** Returns the configuration of the other routes below `/auth`, which count in the default group. */
export const accountConfig = (route: Omit<RouteConfig, 'limit' | 'tag'>) => routeConfig({ ...route, tag: 'auth' })
