import type { AppLimit } from '../../../model/caller.ts'
import type { SpendingLimits } from '../../../ports/storage/app-spending.ts'
import type { OAuthServerSettings } from './options.ts'

const MILLIONTHS = 1_000_000

/** The currencies in which apps pay. USDC counts as dollars. */
const CURRENCIES = ['usd', 'eur'] as const

/**
 * What an app may spend, by currency: what the person chose for it, never more than the operator allows.
 *
 * @param chosen - null for the limits of the operator
 */
export function limitsOfApp(
  spending: OAuthServerSettings['spending'],
  chosen: SpendingLimits | null,
): Readonly<Partial<Record<string, AppLimit>>> {
  return Object.fromEntries(
    CURRENCIES.map((currency) => {
      const most = spending[currency]
      const own = chosen?.[currency]
      const within = (name: 'purchase' | 'day' | 'month') =>
        Math.min(most[name] * MILLIONTHS, own?.[name] ?? Number.POSITIVE_INFINITY)
      return [
        currency,
        {
          purchase: within('purchase'),
          day: within('day'),
          month: within('month'),
          accountMonth: most.accountMonth * MILLIONTHS,
        },
      ]
    }),
  )
}
