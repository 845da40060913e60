import * as vitest from 'vitest'
import { billingProcessorContract } from './billing-processor-contract.ts'
import { createOffice } from './cash/office.ts'
import { cashBilling } from './cash-billing.ts'

billingProcessorContract(vitest, () => {
  const office = createOffice()
  return {
    processor: cashBilling({ office }),
    buy: ({ id }) => office.buy(id),
    endPeriod: (id, payment) => office.endPeriod(id, payment),
    end: (id) => office.end(id),
    taken: () => office.balance(),
    oldMessage: () => office.message('seat-1', undefined, new Date(Date.now() - 301_000)),
    loseAnswer: () => office.next('any', { lose: 'answer' }),
    faults: {
      'a lost request': { code: 'billing_failed', order: () => office.next('any', { lose: 'request' }) },
      'a key that may not': { code: 'billing_unavailable', order: () => office.next('any', { refuse: true }) },
    },
  }
})
