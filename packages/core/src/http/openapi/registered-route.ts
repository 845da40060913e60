import type { RouteOptions } from 'fastify'
import type { RouteConfig } from '../routes.ts'

/** A registered route and its configuration. */
export interface RegisteredRoute {
  readonly method: string
  /** Without the prefix of the listener. */
  readonly path: string
  readonly config: RouteConfig
  readonly schema: RouteOptions['schema']
  /** The URL that the path is below, for routes outside of the service. Default: that of the listener. */
  readonly serverUrl?: string | undefined
}
