import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { accounts } from '../accounts/token.ts'
import { passkeys } from '../passkeys/token.ts'
import { oauthEmails } from './emails.ts'
import { oauthEvents } from './events.ts'
import { identityRoutes } from './identities.routes.ts'
import { createIdentities } from './identities.ts'
import { oauthOptions } from './options.ts'
import { oauthRoutes } from './routes.ts'
import { createOAuthService } from './service.ts'

/** Sign-in with OAuth providers. */
export const oauth = feature('oauth', oauthOptions, (options) =>
  defineModule({
    name: 'oauth',
    events: oauthEvents,
    emails: oauthEmails,
    requires: [accounts],
    uses: [passkeys],
    stores: ['identities'],
    identityProviders: options.providers.map(({ name }) => name),
    create: ({ read, write, clock, outbox, publicUrl, settings: { hooks, pages } }, { accounts, passkeys }) => ({
      oauth: createOAuthService({
        read,
        write,
        clock,
        hooks,
        accounts,
        outbox,
        providers: options.providers,
        publicUrl,
        languages: pages.languages,
      }),
      identities: createIdentities({
        read,
        write,
        outbox,
        offered: new Set(options.providers.map(({ name }) => name)),
        passkeys,
      }),
    }),
    routes(app, services, { cookies, publicUrl, settings: { auth, frontendUrl } }) {
      // Users of a host sign in at the host.
      if (auth.hostAuth) return
      oauthRoutes(app, services, { cookies, publicUrl, frontendUrl })
      identityRoutes(app, services)
    },
  }),
)
