import { defineModule } from '../../../framework/module/define-module.ts'
import { wallets } from '../../people/wallets/token.ts'
import { paywall } from '../paywall/token.ts'
import { receipts } from '../receipts/token.ts'
import { purchaseRecoveryEmail } from './emails.ts'
import { purchaseNotifications } from './notifications.ts'
import { purchaseRoutes } from './purchases.routes.ts'
import { createPurchases } from './purchases.ts'
import { receiptEmail } from './receipt-email.ts'
import { recoveryRoutes } from './routes.ts'
import { createRecovery } from './service.ts'
import { walletRecoveryRoutes } from './wallet.routes.ts'
import { createWalletRecovery } from './wallet-recovery.ts'

/**
 * The purchases of visitors, and how buyers who lost the payer cookie get it again: by an emailed link, or by a signature of
 * the wallet that paid.
 */
export const purchaseRecovery = defineModule({
  name: 'purchase-recovery',
  emails: [purchaseRecoveryEmail, receiptEmail],
  notifications: purchaseNotifications,
  requires: [receipts, paywall],
  uses: [wallets],
  stores: ['openPurchases'],
  create(
    { read, write, clock, keyring, outbox, emailRate, publicUrl, settings: { email, frontendUrl, pages } },
    { receipts, signIns },
  ) {
    const purchases = createPurchases({ read, pdf: receipts.pdf })
    return {
      purchases,
      walletRecovery: createWalletRecovery({ signIns, purchases, pageUrl: `${frontendUrl}/purchases` }),
      recovery: createRecovery({
        read,
        write,
        clock,
        keyring,
        outbox,
        emailRate,
        sendsMail: email.mailer !== undefined,
        publicUrl,
        languages: pages.languages,
      }),
    }
  },
  routes(app, services, context) {
    recoveryRoutes(app, services, context)
    walletRecoveryRoutes(app, services, context)
    purchaseRoutes(app, services, context)
  },
})
