import { defineError } from '../../kernel/errors.ts'
import { type MoneyKind, type MoneyTaker, moneyKindOf, type StoredMoney } from '../../ports/money-kind.ts'
import type { PaymentRail } from '../../ports/payment-rail.ts'
import type { Storage } from '../../ports/storage/storage.ts'

/**
 * Prevents the start of a service whose rails take another kind of money than its database holds, or several kinds. Purchases with play
 * money would open pages that are sold for real money.
 *
 * - `rails_of_different_kinds`: rails and billing take several kinds of money
 * - `database_kind_mismatch`: the database holds another kind
 * - `database_kind_mixed`: payments of several kinds are stored in a database without a kind
 */
export class MoneyKindError extends Error {
  override readonly name = 'MoneyKindError'
  readonly code: 'rails_of_different_kinds' | 'database_kind_mismatch' | 'database_kind_mixed'

  constructor(code: MoneyKindError['code'], sentence: string) {
    super(`${code}: ${sentence}`)
    this.code = code
  }
}

/** The kinds of money in messages for operators. */
export const MONEY_WORDS: Readonly<Record<MoneyKind, string>> = {
  sandbox: 'play money of the sandbox',
  test: 'test money',
  real: 'real money',
}

const WAY_OUT =
  'Use another database or data directory; profiles move to it with an export and an import, and purchases do not'

/** What a rail takes: one kind, or that of each of its networks. */
function takersOf({ id, moneyKind, info }: PaymentRail): readonly MoneyTaker[] {
  if (moneyKind) return [{ name: id, moneyKind }]
  const networks = info?.accepts.map(({ network }) => network) ?? []
  if (networks.length === 0) return [{ name: id, moneyKind: 'real' }]
  return networks.map((network) => ({ name: `${id} on ${network}`, moneyKind: moneyKindOf(network) }))
}

/**
 * Returns the kind of money that a service takes; undefined when it takes none.
 *
 * @throws MoneyKindError when its rails and modules take several kinds
 */
export function moneyKindOfService(
  rails: readonly PaymentRail[],
  modules: readonly { readonly takesMoney?: readonly MoneyTaker[] | undefined }[],
): MoneyKind | undefined {
  const takers = [...rails.flatMap(takersOf), ...modules.flatMap(({ takesMoney = [] }) => takesMoney)]
  const kinds = Map.groupBy(takers, ({ moneyKind }) => moneyKind)
  if (kinds.size > 1) {
    const parts = [...kinds].map(
      ([kind, those]) => `${MONEY_WORDS[kind]} (${those.map(({ name }) => name).join(', ')})`,
    )
    throw new MoneyKindError(
      'rails_of_different_kinds',
      `A service takes one kind of money, and not ${parts.join(' and ')}`,
    )
  }
  return [...kinds.keys()][0]
}

/** Returns the kind that a database without one gets, by what it holds. */
function decide(kind: MoneyKind, { hasAccounts, payments }: StoredMoney): MoneyKind {
  const counts = new Map<MoneyKind, number>()
  for (const [network, count] of Object.entries(payments)) {
    const stored = moneyKindOf(network)
    counts.set(stored, (counts.get(stored) ?? 0) + count)
  }
  if (counts.size > 1) {
    const counted = [...counts].map(([stored, count]) => `${count} of ${MONEY_WORDS[stored]}`).join(' and ')
    throw new MoneyKindError(
      'database_kind_mixed',
      `The database has payments of several kinds: ${counted}. ${WAY_OUT}`,
    )
  }
  const [stored] = counts.keys()
  if (stored && stored !== kind) throw mismatch(stored, kind)
  if (kind === 'sandbox' && hasAccounts) {
    throw new MoneyKindError(
      'database_kind_mismatch',
      `The database has accounts that were not made in a sandbox, and this service takes ${MONEY_WORDS.sandbox}. ${WAY_OUT}`,
    )
  }
  return kind
}

const mismatch = (stored: MoneyKind, kind: MoneyKind) =>
  new MoneyKindError(
    'database_kind_mismatch',
    `The database holds ${MONEY_WORDS[stored]} for its whole life, and this service takes ${MONEY_WORDS[kind]}. ${WAY_OUT}`,
  )

/** What a service that may not take money answers. */
const misconfigured = defineError(
  'service_misconfigured',
  503,
  'The service is not configured correctly; its operator finds the reason in its log',
)

/** The kind of money of one service, and whether its database holds it. */
export interface MoneyBinding {
  /**
   * Binds the database to the kind, for its whole life. A service that takes no money changes nothing.
   *
   * @throws MoneyKindError when the database holds another kind
   */
  bind(): Promise<void>
  /**
   * Undefined once the database is bound, or when the service takes no money. Otherwise binds it.
   *
   * @throws `service_misconfigured` when the database holds another kind
   */
  beforeRequest(): Promise<void> | undefined
}

/** Requests wait for the binding, because a server may answer them before the service has started. */
export function createMoneyBinding(storage: Pick<Storage, 'bindMoneyKind'>, kind: MoneyKind | undefined): MoneyBinding {
  let isBound = kind === undefined
  let binding: Promise<void> | undefined

  async function bindTo(wanted: MoneyKind): Promise<void> {
    const bound = await storage.bindMoneyKind((stored) => decide(wanted, stored))
    if (bound !== wanted) throw mismatch(bound, wanted)
    isBound = true
  }

  async function bind(): Promise<void> {
    if (isBound || kind === undefined) return
    binding ??= bindTo(kind).finally(() => {
      binding = undefined
    })
    await binding
  }

  return {
    bind,
    beforeRequest() {
      if (isBound) return undefined
      return bind().catch((error: unknown) => {
        throw error instanceof MoneyKindError ? misconfigured({ cause: error }) : error
      })
    },
  }
}

/**
 * Checks that a database may be used with a kind of money. Writes nothing: a command in the environment of another host must not decide
 * the kind of a database.
 *
 * @throws MoneyKindError when it holds another kind
 */
export async function assertMoneyKind(
  storage: Pick<Storage, 'bindMoneyKind'>,
  kind: MoneyKind | undefined,
): Promise<void> {
  if (!kind) return
  const undecided = new Error('The database has no kind of money yet')
  const bound = await storage
    .bindMoneyKind((stored) => {
      decide(kind, stored)
      throw undecided
    })
    .catch((error: unknown) => {
      if (error === undecided) return kind
      throw error
    })
  if (bound !== kind) throw mismatch(bound, kind)
}
