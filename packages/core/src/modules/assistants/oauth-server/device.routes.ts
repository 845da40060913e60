import { networkOf } from '../../../http/pipeline/client-address.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import type { OpenDeviceRequest } from './device.ts'
import { protocolRoutes } from './protocol-scope.routes.ts'
import { deviceAnswer, deviceBody } from './schemas.ts'
import { credentialsOf, listOf } from './token.routes.ts'

/** The endpoint at which devices ask for a code that a person enters (RFC 8628, 3.1). */
export function deviceRoutes(app: EepRoutes, open: OpenDeviceRequest, path: string): void {
  protocolRoutes(app, 'form', 'invalid_request', (routes) => {
    routes.post(
      path,
      {
        config: routeConfig({
          auth: 'none',
          hasOwnToken: true,
          encodedForm: true,
          limit: 'oauth',
          tag: 'oauth-server',
          operationId: 'createOAuthDeviceCode',
          summary: 'Start the connection of a device without a browser',
        }),
        schema: { body: deviceBody, response: { 200: deviceAnswer } },
      },
      (request) =>
        open(credentialsOf(request), {
          scope: request.body.scope,
          resources: listOf(request.body.resource),
          address: networkOf(request.ip),
        }),
    )
  })
}
