import { defineCoreModule } from '../../module/define-module.ts'
import { paywall } from '../paywall/module.ts'
import { purchaseRecoveryEmail } from './emails.ts'
import { recoveryRoutes } from './routes.ts'
import { createRecovery } from './service.ts'

/** Restores access to purchases for buyers who lost the payer cookie, by an emailed link. */
export const purchaseRecovery = defineCoreModule({
  name: 'purchase-recovery',
  emails: [purchaseRecoveryEmail],
  requires: [paywall],
  stores: ['openPurchases'],
  create: ({ read, write, clock, keyring, outbox, emailRate, publicUrl, settings: { email } }) => ({
    recovery: createRecovery({
      read,
      write,
      clock,
      keyring,
      outbox,
      emailRate: emailRate,
      sendsMail: email.mailer !== undefined,
      publicUrl,
    }),
  }),
  routes: recoveryRoutes,
})
