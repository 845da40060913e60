import { defineModule } from '../../../framework/module/define-module.ts'
import { pick } from '../../../kernel/pick.ts'
import { completeTheme } from '../../../model/theme.ts'
import { inBatches } from '../../../runtime/consumers/batches.ts'
import { timed } from '../../../runtime/consumers/timed.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import type { EntitlementsApi, ReceiptsApi, SalesApi } from './api.ts'
import { createCustomers } from './customer.ts'
import { entitlementRoutes } from './entitlements.routes.ts'
import { createEntitlementService } from './entitlements.ts'
import { receiptEvents } from './events.ts'
import { createPurchaseExporter } from './export-purchases.ts'
import { createSalesExporter } from './export-sales.ts'
import { receiptNotifications } from './notifications.ts'
import { receiptRoutes } from './routes.ts'
import { salesRoutes } from './sales.routes.ts'
import { createSalesService } from './sales.ts'
import { createReceiptService } from './service.ts'

/** How often grants that begin after a gap are counted. */
const DUE_GRANTS_EVERY_MS = 10_000
const GRANTS_AT_ONCE = 200

/** Receipts, refunds, sales and entitlements. */
export const receipts = defineModule({
  name: 'receipts',
  events: receiptEvents,
  notifications: receiptNotifications,
  requires: [profiles],
  optionalStores: ['sales'],
  scopes: ['read:payments'],
  create({ read, write, clock, keyring, publicUrl, logger, settings: { name, pages, payments } }, { profiles }) {
    const receipts = createReceiptService({
      read,
      write,
      clock,
      keyring,
      rails: payments.rails,
      renderer: payments.receiptPdf,
      issuer: { name, publicUrl, accent: completeTheme(pages.theme).light.accent },
      onRefundTrouble: (error, receiptId) =>
        logger?.warn({ err: error, receiptId }, 'a refund claim could not be checked'),
    })
    return {
      receipts,
      sales: createSalesService({
        read,
        clock,
        profiles,
        refunds: receipts.refunds,
        showCustomer: createCustomers({
          profiles,
          cardRails: new Set(payments.rails.flatMap(({ id, processor }) => (processor ? [id] : []))),
        }),
      }),
      entitlements: createEntitlementService({ read, write, clock, profiles }),
    }
  },
  public: {
    receipts: ({ receipts }): ReceiptsApi => pick(receipts, 'list', 'get', 'pdf'),
    sales: ({ sales }): SalesApi =>
      pick(sales, 'list', 'sum', 'sumByDay', 'csv', 'listCustomers', 'refund', 'confirmRefund'),
    entitlements: ({ entitlements }): EntitlementsApi => pick(entitlements, 'list', 'grant', 'revoke'),
  },
  routes(app, services, { read }) {
    receiptRoutes(app, services)
    if (!read.sales) return
    salesRoutes(app, services)
    entitlementRoutes(app, services)
  },
  workers(_services, { read, write, report }) {
    if (!read.grants) return []
    const take = () => write((tx) => requireGroup(tx, 'sales').grants.takeDueGrants(GRANTS_AT_ONCE))
    const takeAll = (signal: AbortSignal) => inBatches(take, signal, GRANTS_AT_ONCE)
    return [timed(takeAll, { everyMs: DUE_GRANTS_EVERY_MS, jitter: 0.25, onError: report })]
  },
  exportProfile: (_services, { read, publicUrl, settings: { name, pages, payments } }) =>
    createSalesExporter(read, payments.receiptPdf, {
      name,
      publicUrl,
      accent: completeTheme(pages.theme).light.accent,
    }),
  exportAccount: (_services, { read }) => createPurchaseExporter(read),
  eraseAccount: ({ receipts }) => ({
    part: receipts.erase,
  }),
})
