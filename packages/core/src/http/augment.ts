import type { RequestContext } from './pipeline/request-context.ts'
import type { RouteConfig } from './routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The service's context of this request. Set only on the service's routes. */
    eep: RequestContext
  }
  interface FastifyContextConfig {
    eep?: RouteConfig
  }
}
