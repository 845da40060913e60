import type { RequestContext } from './request-context.ts'
import type { RouteConfig } from './routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the service knows of this request. Set on its own routes only. */
    eep: RequestContext
  }
  interface FastifyContextConfig {
    eep?: RouteConfig
  }
}
