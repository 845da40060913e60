import type { EepError } from '../../../../kernel/errors.ts'
import type { CredentialHeaders } from '../../../../ports/payment-rail.ts'
import type { Payment } from '../../../../ports/storage/payments.ts'
import { requireGroup } from '../../../../runtime/storage/require-group.ts'
import type { Sale } from '../pay/sale.ts'
import { type ChargeDeps, createCharging } from './charge.ts'
import { type CompensationDeps, createCompensation } from './compensate.ts'
import { creditKeysOf, type RequestFacts } from './request-facts.ts'
import { createTaking, type TakeDeps, type Taken } from './take-payment.ts'

export interface PaidRequestDeps extends TakeDeps, Omit<ChargeDeps, 'hold'>, CompensationDeps {}

const MIN_EXTEND_MS = 50

/** Payments for single requests of routes that take payments for any method. */
export function createPaidRequests(deps: PaidRequestDeps) {
  const { read, steps, leaseMs } = deps
  const { take, takeOwed, hold } = createTaking(deps)
  const charging = createCharging({ ...deps, hold })
  const { compensate } = createCompensation(deps)
  /** The identities that a request proves without a payment. */
  const nobody = {}
  const trouble = (id: string, error: unknown) =>
    read.payments
      .get(id)
      .then((payment?: Payment) => payment && deps.onTrouble(error, payment))
      .catch(() => undefined)

  return {
    take,
    compensate,
    chargeAfter: charging.chargeAfter,
    release: charging.release,

    /** Returns the 402 after a payment that was refused. Throws any other error. */
    refuse: (sale: Sale, headers: CredentialHeaders, error: unknown, rail?: string): Promise<EepError> =>
      steps.refuse(sale, headers, error, rail),

    /** Whether a payer that the request proves has a payment that nothing was delivered for, and that may pay for this request. */
    async owes({ purchases }: Sale, { proven }: RequestFacts): Promise<boolean> {
      const single = purchases.find(({ per }) => per === 'request')
      const keys = single ? creditKeysOf(nobody, proven, single) : []
      return keys.length > 0 && (await requireGroup(read, 'paidRequests').paidRequests.listCredits(keys)).length > 0
    },

    /** Takes such a payment. Undefined when there is none for this price. */
    async owed({ purchases }: Sale, facts: RequestFacts): Promise<Taken | undefined> {
      const single = purchases.find(({ per }) => per === 'request')
      return single && takeOwed(single, nobody, facts)
    },

    /** Keeps an answer. It is sent even when that fails. */
    keep: (...given: Parameters<typeof charging.keep>): Promise<void> =>
      charging.keep(...given).catch((error: unknown) => trouble(given[0], error)),

    /** Records how an answer was delivered. */
    end(...given: Parameters<typeof charging.end>): void {
      charging.end(...given).catch((error: unknown) => trouble(given[0], error))
    },

    /** Extends the lease of a running request. */
    extend(...given: Parameters<typeof charging.extend>): void {
      charging.extend(...given).catch((error: unknown) => trouble(given[0], error))
    },

    /** How often to do that, so that no lease runs out. */
    extendEveryMs: Math.max(MIN_EXTEND_MS, leaseMs / 3),
  }
}

export type PaidRequests = ReturnType<typeof createPaidRequests>
