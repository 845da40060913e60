import type { ErasureFile } from '../../../framework/module/account-data.ts'
import type { EepLogger } from '../../../ports/logger.ts'
import type { OpenCheckout, Subscription } from '../../../ports/storage/subscriptions.ts'
import { PAID_BEFOREHAND } from './prepaid-processor.ts'

/** What a processor may still charge an account for. */
export interface Charges {
  readonly live: Subscription | undefined
  readonly open: OpenCheckout | undefined
}

/**
 * Logs what a processor that the service cannot reach may go on to charge once the account is erased. Plans that were paid
 * beforehand are not charged again.
 */
export function warnOfCharges({ live, open }: Charges, logger: EepLogger | undefined): void {
  if (live && live.processor !== PAID_BEFOREHAND) {
    const { processor, processorSubscriptionId: subscription } = live
    logger?.warn({ processor, subscription }, 'cancel this subscription at the processor: its account is removed')
  }
  if (open) {
    const { processor, checkoutId: checkout, attempt } = open
    logger?.warn({ processor, checkout, attempt }, 'close this checkout at the processor: its account is removed')
  }
}

/** Before an account is erased by a service without subscriptions: no processor is connected, so nothing can be cancelled. */
export const beforeErasure: ErasureFile<'subscriptions'>['beforeErasure'] =
  ({ read, logger }) =>
  async ({ id }) => {
    const [live, open] = await Promise.all([read.subscriptions.getLive(id), read.subscriptions.getCheckout(id)])
    warnOfCharges({ live, open }, logger)
  }
