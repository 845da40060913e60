import type { Clock } from '../../../kernel/clock.ts'
import { forbidden, isEepError } from '../../../kernel/errors.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type {
  ReceiptWithRefund,
  Refund,
  RefundClaim,
  SaleRecord,
  SalesQuery,
  SalesSum,
} from '../../../ports/storage/payments.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { lockAdministrator } from '../../../runtime/storage/lock-caller.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { alreadyRefunded, receiptNotFound, refundNotClaimed } from './errors.ts'
import { salesCsv } from './receipt-csv.ts'
import type { RefundRequest, Refunds } from './refunds.ts'

export interface SalesDeps {
  readonly read: Readers
  readonly profiles: Pick<ProfileService, 'get' | 'getEvenIfUnlisted' | 'requirePermission'>
  readonly clock: Clock
  readonly refunds: Refunds
}

const LINES_A_STEP = 500

/** Sales and refunds, for sellers. */
export function createSalesService({ read, clock, profiles, refunds }: SalesDeps) {
  async function mayRead(profileId: number, caller: Caller): Promise<void> {
    await profiles.requirePermission(await profiles.get(profileId, caller), caller, 'payments.read')
  }

  return {
    async list(query: SalesQuery, page: PageRequest, caller: Caller): Promise<Page<SaleRecord>> {
      await mayRead(query.profileId, caller)
      return requireGroup(read, 'sales').sales.list(query, page)
    },

    async sum(query: SalesQuery, caller: Caller): Promise<readonly SalesSum[]> {
      await mayRead(query.profileId, caller)
      return requireGroup(read, 'sales').sales.sum(query)
    },

    async csv(query: SalesQuery, caller: Caller): Promise<AsyncIterable<string>> {
      await mayRead(query.profileId, caller)
      return csvOf(read, query)
    },

    async refund(receiptId: string, request: RefundRequest, caller: Caller): Promise<Refund | RefundClaim> {
      const receipt = await read.receipts.get(receiptId)
      if (!receipt) throw receiptNotFound()
      const { accountId, profileId } = receipt.seller
      // The account that was paid may have deleted the profile, or may no longer see it.
      if (accountId !== caller.account.id) {
        const profile = await profiles.getEvenIfUnlisted(profileId, caller).catch((error: unknown) => {
          throw isEepError(error) && error.status === 404 ? receiptNotFound() : error
        })
        await profiles.requirePermission(profile, caller, 'payments.refund')
        if (accountId !== null)
          throw forbidden({ message: 'Only the account that received the payment can refund this sale' })
      }
      return refunds.refund(receipt, request, caller)
    },

    /** The refunds of all sellers, for administrators. */
    listRefunds: (state: 'claimed' | 'refunded', page: PageRequest): Promise<Page<ReceiptWithRefund>> =>
      requireGroup(read, 'sales').refunds.list(state, page),

    async confirmRefund(receiptId: string, caller: Caller): Promise<Refund> {
      const receipt = await read.receipts.get(receiptId)
      if (!receipt) throw receiptNotFound()
      const claim = await requireGroup(read, 'sales').refunds.getClaim(receiptId)
      if (!claim)
        throw (await requireGroup(read, 'sales').refunds.get(receiptId)) ? alreadyRefunded() : refundNotClaimed()
      const { reference, reason, claimedBy } = claim
      const at = clock()
      return refunds.record(
        receipt,
        { receiptId, reference, reason, refundedAt: at, refundedBy: claimedBy },
        {
          admit: (tx) => lockAdministrator(tx, caller),
          alongside: async (tx) =>
            tx.audit?.append({
              actorAccountId: caller.account.id,
              action: 'refund.confirmed',
              target: `receipts/${receiptId}`,
              before: { state: 'claimed', reference },
              after: { state: 'refunded', reference },
              at,
            }),
        },
      )
    },
  }
}

async function* csvOf(read: Readers, query: SalesQuery): AsyncIterable<string> {
  let cursor: string | undefined
  let header = true
  do {
    const page = await requireGroup(read, 'sales').sales.list(query, { limit: LINES_A_STEP, cursor })
    yield salesCsv(page.items, { header })
    header = false
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

export type SalesService = ReturnType<typeof createSalesService>
