import type { CoreContext } from '../../../framework/module/context.ts'
import { sha256 } from '../../../kernel/digest.ts'
import type { SandboxPayment } from '../../../ports/storage/sandbox.ts'
import { canonicalEmail } from '../../access/paywall/index.ts'
import { detailOf } from './rail/records.ts'
import { cardReceiptEmail } from './receipt-email.ts'

const HOUR_MS = 3_600_000

/**
 * Returns a function that sends a receipt to the address which a buyer entered, as card processors do. Anyone can enter any
 * address, so each gets a limited number of them in an hour.
 *
 * @param sellerName - returns the name of a seller by its DID
 */
export function createCardReceipts(
  { outbox, emailRate, clock, settings: { email: mail, frontendUrl } }: CoreContext,
  sellerName: (did: string) => Promise<string>,
): (payment: SandboxPayment) => void {
  return (payment) => {
    const { email } = payment
    if (email === null || mail.mailer === undefined) return
    outbox.post(cardReceiptEmail, async () => {
      const { count } = await emailRate.store.hit(`sandbox-receipt:${sha256(canonicalEmail(email) ?? email)}`, HOUR_MS)
      if (count > emailRate.perHour) return undefined
      return {
        to: email,
        data: {
          item: detailOf(payment, 'item') ?? '',
          seller: await sellerName(detailOf(payment, 'sellerDid') ?? ''),
          decimal: detailOf(payment, 'price') ?? '',
          currency: payment.currency,
          paidAt: clock(),
          link: `${frontendUrl}/purchases`,
        },
      }
    })
  }
}
