import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import type { OauthServerApi } from './api.ts'
import { oauthServerEvents } from './events.ts'
import { refreshAhead, tokensIssued } from './metrics.ts'
import { oauthServerOptions } from './options.ts'
import { protocolEndpoints } from './protocol.routes.ts'
import { SPEND_PAYMENTS } from './scopes.ts'
import { createOAuthServer } from './server.ts'
import { createWellKnown } from './well-known.routes.ts'

const REQUESTS_PER_MINUTE = 600

/** An authorization server for apps: OAuth 2.1 with client documents, registration and the device grant. */
export const oauthServer = feature('oauthServer', oauthServerOptions, (options) =>
  defineModule({
    name: 'oauth-server',
    needsSecureUrl: 'required',
    events: oauthServerEvents,
    stores: ['connectedApps'],
    scopes: [{ name: SPEND_PAYMENTS, group: 'spend', only: 'apps' }],
    limits: { oauth: REQUESTS_PER_MINUTE },
    metrics: [tokensIssued, refreshAhead],
    create(context) {
      if (context.settings.auth.hostAuth && !options.signInUrl)
        throw new TypeError('oauthServer({ signInUrl }) is required with auth.hostAuth: people sign in at the host')
      return { oauthServer: createOAuthServer(context, options) }
    },
    public: {
      oauthServer: ({ oauthServer }): OauthServerApi => ({
        wellKnown: createWellKnown(oauthServer.publicUrl, oauthServer.documents),
      }),
    },
    authenticators: ({ oauthServer }) => ({ apps: oauthServer.appTokens }),
    routes(app, { oauthServer }, { clock, metrics, publicUrl }) {
      protocolEndpoints(app, oauthServer, { clock, metrics, publicUrl })
    },
  }),
)
