import test from 'node:test'
import { createTill } from './cash/till.ts'
import { cashRail } from './cash-rail.ts'
import { paymentRailContract } from './payment-rail-contract.ts'
import { newPurchase } from './records.ts'

paymentRailContract(test, () => {
  const till = createTill()
  return {
    rail: cashRail({ till }),
    purchase: newPurchase(),
    pay: async ({ accept = {} }) => till.pay(accept),
    taken: async () => till.balance(),
  }
})
