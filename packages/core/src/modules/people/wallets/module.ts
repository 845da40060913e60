import { defineModule } from '../../../framework/module/define-module.ts'
import { walletEmails } from './emails.ts'
import { walletEvents } from './events.ts'
import { payoutRoutes } from './payouts.routes.ts'
import { createPayoutService } from './payouts.ts'
import { walletRoutes } from './routes.ts'
import { createWalletService } from './service.ts'
import { createSignIns } from './sign-in-with-x.ts'
import { createWalletMailer } from './wallet-mailer.ts'

/** Linked wallets of accounts, and their payouts. */
export const wallets = defineModule({
  name: 'wallets',
  events: walletEvents,
  emails: walletEmails,
  stores: ['wallets'],
  create({
    read,
    write,
    clock,
    cache,
    keyring,
    metrics,
    outbox,
    emailRate,
    settings: { auth, payments, frontendUrl },
  }) {
    const { walletVerifier: verifier } = auth
    const mailer = createWalletMailer({ outbox, emailRate })
    return {
      wallets: createWalletService({ read, write, clock, verifier, mailer, siteUrl: frontendUrl }),
      signIns: createSignIns({ write, clock, keys: keyring.shared('sign-in-with-x'), verifier, metrics }),
      payouts: createPayoutService({ read, write, clock, cache, mailer, rails: payments.rails }),
    }
  },
  routes(app, services) {
    walletRoutes(app, services)
    payoutRoutes(app, services)
  },
})
