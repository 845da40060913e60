import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { isSecureUrl } from '../../../kernel/public-url.ts'
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
    unmet({ publicUrl, hasHostAuth }) {
      if (!isSecureUrl(publicUrl)) return 'the publicUrl needs https, or must be on this computer'
      if (hasHostAuth && !options.signInUrl)
        return 'oauthServer({ signInUrl }) is required with auth.hostAuth, because people sign in at the host'
      return undefined
    },
    events: oauthServerEvents,
    stores: ['connectedApps'],
    scopes: [{ name: SPEND_PAYMENTS, group: 'spend', only: 'apps' }],
    limits: { oauth: REQUESTS_PER_MINUTE },
    metrics: [tokensIssued, refreshAhead],
    create: (context) => ({ oauthServer: createOAuthServer(context, options) }),
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
