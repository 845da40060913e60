import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { pick } from '../../../kernel/pick.ts'
import { isSecureUrl } from '../../../kernel/public-url.ts'
import { retention } from '../../../runtime/consumers/retention.ts'
import { purchaseRecovery } from '../../access/purchases/token.ts'
import { accounts } from '../../people/accounts/token.ts'
import { passkeys } from '../../people/passkeys/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import type { OauthServerApi } from './api.ts'
import type { ConnectedAppsApi } from './apps/api.ts'
import { createBuyingApps } from './apps/buying-apps.ts'
import { createProfileGoneConsumer } from './apps/profile-gone.ts'
import { oauthServerEvents } from './events.ts'
import { refreshAhead, tokensIssued } from './metrics.ts'
import { appNotifications } from './notifications.ts'
import { oauthServerOptions } from './options.ts'
import { consentRoutes, consentScreens, createConsentServices } from './pages.ts'
import { appPermissions } from './permissions.ts'
import { profileAppsRoutes } from './profile-apps/profile-apps.routes.ts'
import { profileAppsScreen } from './profile-apps/profile-apps.screen.ts'
import { createProfileApps } from './profile-apps/service.ts'
import { protocolEndpoints } from './protocol.routes.ts'
import { SPEND_PAYMENTS } from './scopes.ts'
import { createOAuthServer } from './server.ts'
import { createWellKnown } from './well-known.routes.ts'

const REQUESTS_PER_MINUTE = 600
const DELETED_AT_ONCE = 500
const DELETE_EVERY_MS = 600_000

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
    requires: [accounts, profiles],
    uses: [passkeys, purchaseRecovery],
    events: oauthServerEvents,
    notifications: appNotifications,
    permissions: appPermissions,
    stores: ['connectedApps'],
    scopes: [{ name: SPEND_PAYMENTS, group: 'spend', only: 'apps' }],
    limits: { oauth: REQUESTS_PER_MINUTE },
    metrics: [tokensIssued, refreshAhead],
    create(context, { accounts, profiles, purchases }) {
      const oauthServer = createOAuthServer(context, options)
      const services = createConsentServices(context, oauthServer, accounts)
      accounts.announceApps(services.connectedApps)
      purchases?.announceApps(createBuyingApps(context))
      return { oauthServer, ...services, profileApps: createProfileApps({ write: context.write, profiles }) }
    },
    public: {
      oauthServer: ({ oauthServer, consentApi }): OauthServerApi => ({
        ...consentApi,
        wellKnown: createWellKnown(oauthServer.publicUrl, oauthServer.documents),
      }),
      connectedApps: ({ connectedApps }): ConnectedAppsApi =>
        pick(connectedApps, 'list', 'get', 'update', 'end', 'endAll'),
    },
    authenticators: ({ oauthServer }) => ({ apps: oauthServer.appTokens }),
    routes(app, services, context) {
      const { clock, metrics, publicUrl, logger } = context
      const warn = (message: string) => logger?.warn({}, message)
      protocolEndpoints(app, services.oauthServer, { clock, metrics, publicUrl, warn })
      consentRoutes(app, services, context)
      profileAppsRoutes(app, services)
    },
    consumers: (_, context) => [createProfileGoneConsumer(context)],
    screens: (services, context) => [...consentScreens(services, context), profileAppsScreen(services)],
    workers(_, { write, clock, report }) {
      const deleteExpired = (now: Date) => write((tx) => tx.connectedApps.deleteExpired(now, DELETED_AT_ONCE))
      // The store knows how long it keeps each of them.
      return [retention(deleteExpired, { clock, retentionDays: 0, everyMs: DELETE_EVERY_MS, onError: report })]
    },
  }),
)
