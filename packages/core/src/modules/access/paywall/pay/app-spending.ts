import type { FastifyRequest } from 'fastify'
import { defineError, forbidden, insufficientScope } from '../../../../kernel/errors.ts'
import { type ConnectedApp, hasScope, isApp } from '../../../../model/caller.ts'
import type { SpendCurrency } from '../../../../ports/storage/app-spending.ts'
import type { Payment } from '../../../../ports/storage/payments.ts'
import type { Stores } from '../../../../ports/storage/storage.ts'

/** The scope that a connected app needs to pay: its purchases belong to the account. */
const SPEND_SCOPE = 'spend:payments'

const appSpendLimit = defineError(
  'app_spend_limit',
  403,
  'The account lets this app spend no more than its limit; nothing was taken, and the payment can be used later',
)

/** Where accounts change the limits of their apps, below the public URL. */
export const MANAGE_APPS_PATH = '/account/apps'

const MILLIONTHS = 1_000_000

/** The currency that a price counts in, and its millionths. */
function spentOn({ amount, currency }: Payment['purchase']['price']): { currency: string; amount: number } {
  return { currency: currency === 'usdc' ? 'usd' : currency, amount: Math.round(Number(amount) * MILLIONTHS) }
}

const isSpent = (currency: string): currency is SpendCurrency => currency === 'usd' || currency === 'eur'

const decimal = (millionths: number): string => (millionths / MILLIONTHS).toFixed(6).replace(/\.?0+$/, '')

/**
 * Requires that who pays may. Only connected apps need scopes for it: that for payments, and that of the route, without which the payment
 * would be one of an anonymous visitor, whom no limit of the account bounds.
 *
 * @throws `insufficient_scope` with all that are missing; `forbidden` on routes that connected apps cannot use
 */
export function requireSpending({ identified, caller: admitted, missingScope }: FastifyRequest['eep']): void {
  const { caller } = identified
  if (!caller || !isApp(caller)) return
  const missing = [hasScope(caller, SPEND_SCOPE) ? [] : SPEND_SCOPE, missingScope ?? []].flat()
  if (missing.length > 0)
    throw insufficientScope({ details: { required: missing.length === 1 ? missing[0] : missing } })
  if (!admitted) throw forbidden({ message: 'Connected apps cannot pay here' })
}

/**
 * Reserves the price of a payment for the app that presents it, in the transaction that claims the payment.
 *
 * @throws `app_spend_limit` when it exceeds a limit that the account or the service set
 */
export async function reserveForApp(
  tx: Stores,
  {
    app,
    payment,
    receiptId,
    at,
    manageUrl,
  }: {
    readonly app: ConnectedApp
    readonly payment: Payment
    /** The receipt that the payment will have. */
    readonly receiptId: string
    readonly at: Date
    readonly manageUrl: string
  },
): Promise<void> {
  const { currency, amount } = spentOn(payment.purchase.price)
  const limits = app.limits[currency]
  const { payerAccountId: accountId } = payment
  if (!limits || !isSpent(currency) || accountId === null || !tx.appSpending) {
    throw appSpendLimit({ details: { limit: 'currency', remaining: '0', currency, manage_url: manageUrl } })
  }
  const reserved = await tx.appSpending.reserveSpend({
    id: payment.id,
    accountId,
    spender: app.spender,
    currency,
    amount,
    at,
    limits,
  })
  if (reserved.outcome === 'exceeded') {
    const { limit, remaining } = reserved
    app.onLimitReached({ limit, currency })
    throw appSpendLimit({ details: { limit, remaining: decimal(remaining), currency, manage_url: manageUrl } })
  }
  const { spender, name, host = null } = app
  await tx.appSpending.addReceipt({ receiptId, accountId, spender, name, host, createdAt: at })
}

/** Counts what was taken for a payment that an app may have presented. */
export const countForApp = async (tx: Stores, { id, payerAccountId, purchase }: Payment): Promise<unknown> =>
  payerAccountId === null ? undefined : tx.appSpending?.adjustSpend(id, spentOn(purchase.price).amount)

/** Gives back what was reserved for a payment that was refused. */
export const releaseForApp = async (tx: Stores, { id, payerAccountId }: Payment): Promise<unknown> =>
  payerAccountId === null ? undefined : tx.appSpending?.releaseSpend(id)
