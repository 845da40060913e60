import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import type { PasskeyToolkit } from '../../../ports/passkey-toolkit.ts'
import { accounts } from '../accounts/token.ts'
import { passkeyEmails } from './emails.ts'
import { passkeyEvents } from './events.ts'
import { passkeysOptions } from './options.ts'
import { relyingPartyOf } from './relying-party.ts'
import { passkeyRoutes } from './routes.ts'
import { createPasskeyService } from './service.ts'

/** Sign-in with passkeys. */
export const passkeys = feature(
  'passkeys',
  passkeysOptions,
  (options, { toolkit }: { readonly toolkit: PasskeyToolkit }) =>
    defineModule({
      name: 'passkeys',
      events: passkeyEvents,
      emails: passkeyEmails,
      requires: [accounts],
      stores: ['passkeys'],
      create: ({ read, write, clock, outbox, publicUrl, settings }, { accounts }) => ({
        passkeys: createPasskeyService({
          toolkit,
          userVerification: options.userVerification,
          read,
          write,
          clock,
          accounts,
          outbox,
          name: settings.name,
          relyingParty: relyingPartyOf(publicUrl, settings.frontendUrl),
          publicUrl,
        }),
      }),
      routes(app, services, { cookies, settings: { auth } }) {
        // Users of a host sign in at the host.
        if (!auth.hostAuth) passkeyRoutes(app, services, cookies)
      },
    }),
)
