import { defineModule } from '../../../framework/module/define-module.ts'
import { once } from '../../../kernel/once.ts'
import { accounts } from '../accounts/token.ts'
import { walletEmails } from './emails.ts'
import { walletEvents } from './events.ts'
import type { PayoutUndo } from './payout-undo.ts'
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
  requires: [accounts],
  create(context, { accounts: { changeUndo } }) {
    const { read, write, clock, cache, keyring, metrics, outbox, emailRate, settings } = context
    const { auth, payments, frontendUrls, frontendUrl } = settings
    const { walletVerifier: verifier } = auth
    const mailer = createWalletMailer({ outbox, emailRate, frontendUrls, expiry: auth.expiry })
    const hasPasswords = auth.hostAuth === undefined
    // Rarely needed, so loaded with the first use.
    const undoing = once(async () => {
      const { createPayoutUndo } = await import('./payout-undo.ts')
      return createPayoutUndo({ read, write, changeUndo: await changeUndo(), mailer, hasPasswords })
    })
    const undo: PayoutUndo = {
      offer: async (tx, account) => (await undoing()).offer(tx, account),
      undo: async (secret) => (await undoing()).undo(secret),
    }
    return {
      wallets: createWalletService({ read, write, clock, verifier, mailer, undo, siteUrl: frontendUrl }),
      signIns: createSignIns({ write, clock, keys: keyring.shared('sign-in-with-x'), verifier, metrics }),
      payouts: createPayoutService({ read, write, clock, cache, mailer, undo, rails: payments.rails }),
    }
  },
  routes(app, services) {
    walletRoutes(app, services)
    payoutRoutes(app, services)
  },
})
