import type { BillingProcessor } from '../../../ports/billing-processor.ts'
import type { AccountLeases } from './account-lease.ts'
import type { BillingSync } from './billing-sync.ts'
import type { SubscriptionCheckouts } from './checkouts.ts'

/** A billing processor, with the parts of the module that call it. */
export interface BillingContext {
  readonly billing: BillingProcessor
  readonly leases: AccountLeases
  readonly sync: BillingSync
  readonly checkouts: SubscriptionCheckouts
}
