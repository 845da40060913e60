import type { Clock } from '../../../kernel/clock.ts'
import { DAY_MS } from '../../../kernel/durations.ts'
import type { AppConnection } from '../../../ports/storage/connected-apps.ts'
import type { LocalRateLimits } from '../../../runtime/rate-limits/local-rate-limits.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { spendLimitReached } from './events.ts'

const LIMITS = ['purchase', 'day', 'month', 'account_month'] as const
const CURRENCIES = ['usd', 'eur', 'credits'] as const

const oneOf = <Name extends string>(names: readonly Name[], text: string): Name | undefined =>
  names.find((name) => name === text)

export interface LimitReachedDeps extends Pick<GuardedStorage<'connectedApps'>, 'write'> {
  readonly counters: Pick<LocalRateLimits, 'count'>
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** Returns what emits that a limit of spending refused a payment of an app: once a day (UTC) for each spender and currency of an account. */
export function createLimitReached({ write, counters, clock, onError }: LimitReachedDeps) {
  async function note(
    { id, accountId, spender, app }: AppConnection,
    limitName: string,
    currencyName: string,
  ): Promise<void> {
    const [limit, currency] = [oneOf(LIMITS, limitName), oneOf(CURRENCIES, currencyName)]
    if (limit === undefined || currency === undefined) return
    const day = clock().toISOString().slice(0, 10)
    const key = `app-limit:${accountId}:${spender}:${currency}:${day}`
    const { count } = await counters.count(key, DAY_MS, { limit: 1, exact: true })
    if (count > 1) return
    const { name, host } = app
    await write(async (_, emit) => {
      emit(spendLimitReached, { connectionId: id, name, host, limit, currency, day }, { accountId })
    })
  }

  return (
    connection: AppConnection,
    { limit, currency }: { readonly limit: string; readonly currency: string },
  ): void => {
    note(connection, limit, currency).catch(onError)
  }
}
