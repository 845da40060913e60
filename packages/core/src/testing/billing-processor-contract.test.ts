import * as vitest from 'vitest'
import { billingProcessorContract } from './billing-processor-contract.ts'
import { createFakeBilling } from './cash/fake-billing.ts'
import { cashBilling } from './cash-billing.ts'

billingProcessorContract(vitest, () => {
  const fakeBilling = createFakeBilling()
  return {
    processor: cashBilling({ fakeBilling }),
    buy: ({ id }) => fakeBilling.buy(id),
    endPeriod: (id, payment) => fakeBilling.endPeriod(id, payment),
    end: (id) => fakeBilling.end(id),
    taken: () => fakeBilling.balance(),
    oldMessage: () => fakeBilling.message('seat-1', undefined, new Date(Date.now() - 301_000)),
    declineNext: () => fakeBilling.next('change', { decline: true }),
    loseAnswer: () => fakeBilling.next('any', { lose: 'answer' }),
    faults: {
      'a lost request': { code: 'billing_failed', order: () => fakeBilling.next('any', { lose: 'request' }) },
      'a key without permission': {
        code: 'billing_unavailable',
        order: () => fakeBilling.next('any', { refuse: true }),
      },
    },
  }
})
