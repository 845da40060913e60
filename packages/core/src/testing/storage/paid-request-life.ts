import type { Purchase } from '../../ports/purchase.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { freshName, newPayment } from '../records.ts'

const MINUTE = 60_000

/** Pays for a request of an account, whose answer names it and is kept. */
export async function fillPaidRequests(
  tx: Stores<'paidRequests'>,
  { accountId, purchase, name }: { readonly accountId: string; readonly purchase: Purchase; readonly name: string },
): Promise<void> {
  const claimed = await tx.paidRequests.claim(
    newPayment({ purchase, payerAccountId: accountId }),
    {
      bound: freshName('POST bound'),
      payer: freshName('payer'),
      creditKeys: [freshName('credit')],
      headerDigest: freshName('header'),
      charge: 'before',
      compensation: 'keep',
      isCorrectable: true,
      compensateAfterMs: MINUTE,
    },
    MINUTE,
    { state: 'settling', maxOpen: 4 },
  )
  if (claimed.outcome === 'claimed') await tx.paidRequests.keepAnswer(claimed.payment.id, `answered ${name}`)
}
