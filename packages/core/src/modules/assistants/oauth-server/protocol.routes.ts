import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { Metrics } from '../../../runtime/telemetry/metrics.ts'
import { authGuideRoute } from './auth-guide.routes.ts'
import { deviceRoutes } from './device.routes.ts'
import { metadataRoutes } from './metadata.routes.ts'
import { tokensIssued } from './metrics.ts'
import { registerRoutes } from './register.routes.ts'
import { introspectRoutes, revokeRoutes } from './revoke.routes.ts'
import type { OAuthServer } from './server.ts'
import { tokenRoutes } from './token.routes.ts'
import { warnWithoutWellKnown } from './well-known.routes.ts'

export interface ProtocolRouteOptions {
  readonly clock: Clock
  readonly metrics: Pick<Metrics, 'counter'>
  readonly publicUrl: string
  /** Logs what the operator should know. */
  readonly warn: (message: string) => void
}

/** Whether a listener has the addresses that metadata name: below the path of the public URL, or below none. */
export const isAtPublicUrl = ({ prefix }: Pick<EepRoutes, 'prefix'>, publicUrl: string): boolean =>
  prefix === '' || prefix === new URL(publicUrl).pathname

/** Answers with the right address below a prefix, because clients compare the resource with the address that they called. */
function elsewhere(app: EepRoutes, paths: readonly string[], publicUrl: string): void {
  for (const path of paths) {
    for (const method of ['GET', 'POST'] as const) {
      app.route({
        method,
        url: path,
        config: routeConfig({
          auth: 'none',
          hasOwnToken: true,
          alias: true,
          anyQuery: true,
          tag: 'oauth-server',
          operationId: 'getOAuthAddress',
          summary: 'Get the address of an OAuth route',
        }),
        handler: () => {
          throw notFound({ message: `This route is at ${publicUrl}${path}` })
        },
      })
    }
  }
}

/** The routes of the protocol, which programs call. */
export function protocolEndpoints(app: EepRoutes, server: OAuthServer, options: ProtocolRouteOptions): void {
  const { settings, grants, access, openDevice, redirects, registrations, grantable } = server
  const { paths } = settings
  const { clock, metrics, publicUrl } = options
  metadataRoutes(app, server.documents)
  authGuideRoute(app, server.guide)
  if (!isAtPublicUrl(app, publicUrl)) {
    elsewhere(app, [...new Set(Object.values(paths))], publicUrl)
    return
  }
  warnWithoutWellKnown(app, publicUrl, server.documents, options.warn)
  const countTokens = metrics.counter(tokensIssued)
  tokenRoutes(app, grants, {
    path: paths.token,
    device: settings.device,
    count: (grant, outcome) => countTokens({ grant, outcome }),
  })
  revokeRoutes(app, access, paths.revoke)
  if (settings.resourceServers.length > 0) {
    introspectRoutes(app, access, {
      path: paths.introspect,
      resourceServers: settings.resourceServers,
      issuer: publicUrl,
    })
  }
  if (settings.registration) {
    registerRoutes(app, {
      path: paths.register,
      seal: registrations,
      clock,
      redirects,
      grantable,
      device: settings.device,
    })
  }
  if (settings.device) deviceRoutes(app, openDevice, paths.deviceAuthorization)
}
