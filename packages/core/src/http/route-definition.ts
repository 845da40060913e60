import type { RouteOptions } from 'fastify'
import type { RouteConfig, RouteMethod } from './routes.ts'

/** A route of the service before it is registered. */
export interface RouteDefinition extends Omit<RouteOptions, 'method' | 'url' | 'config'> {
  readonly method: RouteMethod
  readonly url: string
  readonly config: { readonly eep: RouteConfig }
}
