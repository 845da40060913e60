import { allPages } from '../../../kernel/all-pages.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { DAY_MS } from '../../../kernel/durations.ts'
import { forbidden, isEepError } from '../../../kernel/errors.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import { may } from '../../../model/permission.ts'
import { localDays } from '../../../model/time-zone.ts'
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
import { isReachedBy, listProfilesOfAccount, type ProfileService } from '../../profiles/profiles/index.ts'
import type { CustomerSales, ShowCustomer } from './customer.ts'
import { alreadyRefunded, invalidSalesPeriod, receiptNotFound, refundNotClaimed } from './errors.ts'
import { salesCsv } from './receipt-csv.ts'
import type { RefundRequest, Refunds } from './refunds.ts'
import type { Sale } from './sale.ts'

export interface SalesDeps {
  readonly read: Readers
  readonly profiles: Pick<ProfileService, 'get' | 'getEvenIfUnlisted' | 'requirePermission'>
  readonly clock: Clock
  readonly refunds: Refunds
  readonly showCustomer: ShowCustomer
}

/** Selects sales issued at or after `from` and before `to`. */
export interface SalesRequest {
  /** Default: all profiles where the caller may read payments. */
  readonly profileId?: number | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

/** The sum of the sales of a day, in one asset on one rail. */
export interface SalesOfDay extends SalesSum {
  /** `2026-03-29` */
  readonly date: string
}

const LINES_A_STEP = 500
const DEFAULT_DAYS = 90
const MAX_DAYS = 400

/** Sales and refunds, for sellers. */
export function createSalesService({ read, clock, profiles, refunds, showCustomer }: SalesDeps) {
  async function mayRead(profileId: number, caller: Caller): Promise<void> {
    await profiles.requirePermission(await profiles.get(profileId, caller), caller, 'payments.read')
  }

  /** The given profile, or all profiles where the caller may read payments. */
  async function queryOf({ profileId, from, to }: SalesRequest, caller: Caller): Promise<SalesQuery> {
    if (profileId !== undefined) {
      await mayRead(profileId, caller)
      return { profileIds: [profileId], from, to }
    }
    const profileIds: number[] = []
    for await (const { profile, role } of allPages((page) => listProfilesOfAccount(read, caller.account.id, page))) {
      const isOfKey = caller.profileId === undefined || caller.profileId === profile.id
      if (isOfKey && isReachedBy(caller, profile) && may(role, 'payments.read')) profileIds.push(profile.id)
    }
    return { profileIds, from, to }
  }

  const show = async (records: readonly SaleRecord[]): Promise<Sale[]> =>
    Promise.all(records.map(async (sale) => ({ ...sale, customer: await showCustomer(sale.customer) })))

  async function listSales(query: SalesQuery, page: PageRequest): Promise<Page<Sale>> {
    const found = await requireGroup(read, 'sales').sales.list(query, page)
    return { ...found, items: await show(found.items) }
  }

  return {
    list: async (request: SalesRequest, page: PageRequest, caller: Caller): Promise<Page<Sale>> =>
      listSales(await queryOf(request, caller), page),

    sum: async (request: SalesRequest, caller: Caller): Promise<readonly SalesSum[]> =>
      requireGroup(read, 'sales').sales.sum(await queryOf(request, caller)),

    async sumByDay(
      { timeZone, ...request }: SalesRequest & { readonly timeZone: string },
      caller: Caller,
    ): Promise<readonly SalesOfDay[]> {
      const to = request.to ?? clock()
      const from = request.from ?? new Date(to.getTime() - DEFAULT_DAYS * DAY_MS)
      if (from >= to || to.getTime() - from.getTime() > MAX_DAYS * DAY_MS) throw invalidSalesPeriod()
      const days = localDays({ from, to }, timeZone)
      const query = await queryOf({ ...request, from, to }, caller)
      const starts = days.map(({ start }) => start)
      const sums = await requireGroup(read, 'sales').sales.sumByPeriod(query, starts)
      return sums.flatMap(({ period, ...sum }) => {
        const day = days[period]
        return day ? [{ ...sum, date: day.date }] : []
      })
    },

    async csv(request: SalesRequest, caller: Caller): Promise<AsyncIterable<string>> {
      return csvOf(listSales, await queryOf(request, caller))
    },

    async listCustomers(profileId: number, page: PageRequest, caller: Caller): Promise<Page<CustomerSales>> {
      await mayRead(profileId, caller)
      const found = await requireGroup(read, 'sales').customers.listOf(profileId, page)
      const items = found.items.map(async ({ purchases, refunds, firstAt, lastAt, titles, sums, ...customer }) => ({
        customer: await showCustomer(customer),
        purchases,
        refunds,
        firstAt,
        lastAt,
        titles,
        sums,
      }))
      return { ...found, items: await Promise.all(items) }
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

async function* csvOf(
  list: (query: SalesQuery, page: PageRequest) => Promise<Page<Sale>>,
  query: SalesQuery,
): AsyncIterable<string> {
  let cursor: string | undefined
  let header = true
  do {
    const page = await list(query, { limit: LINES_A_STEP, cursor })
    yield salesCsv(page.items, { header })
    header = false
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

export type SalesService = ReturnType<typeof createSalesService>
