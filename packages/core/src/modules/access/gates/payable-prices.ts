import {
  type GateConfig,
  type GateRequirement,
  isCombined,
  isPayment,
  type PaymentRequirement,
} from '../../../model/gate-config.ts'
import { paymentsOf } from '../../../model/gate-rules.ts'
import { decimalAmount } from '../../../model/price-text.ts'
import type { PriceLimits } from '../../../ports/payment-rail.ts'
import { allowedNetwork, allowedRails, type DescribedRail } from './allowed-rails.ts'

/** Why no rail takes a price. `method`: it allows none of the rails. */
export type PriceProblem = 'method' | 'currency' | 'below_minimum' | 'above_maximum' | 'decimals'

/** Whether a rail takes a price, by its description; no rail is contacted. */
export interface RailVerdict {
  readonly rail: string
  readonly ok: boolean
  /** Why it does not take the price. `method`: the price does not allow this rail. */
  readonly reason?: PriceProblem | undefined
  /** The limits of the rail in the currency of the price, as decimals; undefined when it declares none. */
  readonly minimum?: string | undefined
  readonly maximum?: string | undefined
  readonly decimals?: number | undefined
  /** The currencies that it takes, when the reason is `currency`. */
  readonly currencies?: string[] | undefined
}

/** The limits of prices in one currency at a rail. */
interface TakenCurrency extends Partial<PriceLimits> {
  readonly currency: string
}

/** The prices that a rail takes. */
interface TakenPrices {
  readonly rail: string
  readonly currencies: readonly TakenCurrency[]
}

/** A payment of a configuration that no rail takes. */
export interface UnpayablePrice {
  readonly tier: string
  /** The place in the configuration, as a JSON Pointer. */
  readonly path: string
  readonly code: PriceProblem
  readonly message: string
  readonly requirement: PaymentRequirement
  /** Whether each rail takes the price. */
  readonly rails: readonly RailVerdict[]
}

/** A tier whose price only some rails take. */
export interface PartlyPayable {
  readonly tier: string
  readonly rails: readonly RailVerdict[]
}

function limitProblem(amount: string, { minimum, maximum, decimals }: PriceLimits): PriceProblem | undefined {
  const [, fraction = ''] = amount.split('.')
  if (fraction.length > decimals) return 'decimals'
  if (Number(amount) < Number(minimum)) return 'below_minimum'
  return maximum !== undefined && Number(amount) > Number(maximum) ? 'above_maximum' : undefined
}

/** Whether a rail that a price allows takes it. A rail that does not declare what it takes, takes it. */
function verdictOf({ id: rail, info }: DescribedRail, price: PaymentRequirement): RailVerdict {
  if (!info) return { rail, ok: true }
  const network = info.protocol === 'x402' ? allowedNetwork(price) : undefined
  const accepts = info.accepts.filter((accepted) => network === undefined || accepted.network === network)
  const verdicts = accepts
    .filter(({ currencies }) => currencies.includes(price.currency))
    .map(({ limits }): RailVerdict => {
      const known = limits && Object.hasOwn(limits, price.currency) ? limits[price.currency] : undefined
      const reason = known && limitProblem(decimalAmount(price), known)
      return { rail, ok: reason === undefined, ...(reason && { reason }), ...known }
    })
  const currencies = [...new Set(accepts.flatMap((accepted) => accepted.currencies))]
  return verdicts.find(({ ok }) => ok) ?? verdicts[0] ?? { rail, ok: false, reason: 'currency', currencies }
}

const currenciesOf = ({ info }: DescribedRail): readonly TakenCurrency[] => {
  const all = (info?.accepts ?? []).flatMap(({ currencies, limits = {} }) =>
    currencies.map((currency) => ({ currency, ...limits[currency] })),
  )
  // A rail may take a currency on several networks.
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()]
}

const limitsText = ({ currency, minimum, maximum, decimals }: TakenCurrency): string => {
  const limits = [
    minimum === undefined ? [] : `from ${minimum}`,
    maximum === undefined ? [] : `to ${maximum}`,
    decimals === undefined ? [] : `${decimals} decimals`,
  ].flat()
  return limits.length === 0 ? currency : `${currency} (${limits.join(', ')})`
}

/** All payments of requirements with their JSON Pointers. */
const paymentsAt = (
  requirements: readonly GateRequirement[],
  path: string,
): readonly { readonly path: string; readonly requirement: PaymentRequirement }[] =>
  requirements.flatMap((requirement, index) => {
    const here = `${path}/${index}`
    if (isPayment(requirement)) return [{ path: here, requirement }]
    return isCombined(requirement) ? paymentsAt(requirement.requirements, `${here}/requirements`) : []
  })

/** Checks prices against the configuration of rails. No rail is contacted. */
export function createPriceCheck(rails: readonly DescribedRail[]) {
  const taken: readonly TakenPrices[] = rails.map((rail) => ({ rail: rail.id, currencies: currenciesOf(rail) }))
  const all = taken.map(({ rail, currencies }) => `${rail}: ${currencies.map(limitsText).join(', ')}`).join('; ')

  /** Whether each rail takes a price, in the order of the configuration. */
  function verdictsOf(price: PaymentRequirement): readonly RailVerdict[] {
    const allowed = allowedRails(price, rails)
    return rails.map((rail) =>
      allowed && !allowed.includes(rail) ? { rail: rail.id, ok: false, reason: 'method' } : verdictOf(rail, price),
    )
  }

  /** Why no rail that a price allows takes it; undefined when one does, and without rails. */
  function problemOf(verdicts: readonly RailVerdict[]): PriceProblem | undefined {
    if (verdicts.length === 0 || verdicts.some(({ ok }) => ok)) return undefined
    const problems = verdicts.flatMap(({ reason }) => (reason === undefined || reason === 'method' ? [] : [reason]))
    if (problems.length === 0) return 'method'
    // A limit is of more use to the owner than a currency that another rail does not know.
    return problems.find((one) => one !== 'currency') ?? 'currency'
  }

  function messageOf(code: PriceProblem, price: PaymentRequirement): string {
    const what = `${decimalAmount(price)} ${price.currency}`
    const problem =
      code === 'method'
        ? `No payment method that the price ${what} allows is configured`
        : `No configured payment method takes ${what}`
    return `${problem}. Prices that are taken: ${all}`
  }

  return {
    verdictsOf,
    /** Whether a payment method takes a price, so that it has an offer. False without rails. */
    isPayable: (price: PaymentRequirement): boolean => verdictsOf(price).some(({ ok }) => ok),
    /** The tiers of a configuration with a price that some of the rails that it allows take, and others do not. */
    partlyPayable: ({ tiers }: Pick<GateConfig, 'tiers'>): readonly PartlyPayable[] =>
      Object.entries(tiers).flatMap(([tier, { requirements }]) =>
        paymentsOf(requirements).flatMap((price) => {
          const verdicts = verdictsOf(price)
          const isPartly =
            verdicts.some(({ ok }) => ok) && verdicts.some(({ ok, reason }) => !ok && reason !== 'method')
          return isPartly ? [{ tier, rails: verdicts }] : []
        }),
      ),
    /** The payments of a configuration whose price no rail takes. */
    unpayable: ({ tiers }: Pick<GateConfig, 'tiers'>): readonly UnpayablePrice[] =>
      Object.entries(tiers).flatMap(([tier, { requirements }]) =>
        paymentsAt(requirements, `/tiers/${tier}/requirements`).flatMap(({ path, requirement }) => {
          const verdicts = verdictsOf(requirement)
          const code = problemOf(verdicts)
          const message = code && messageOf(code, requirement)
          return message ? [{ tier, path, code, message, requirement, rails: verdicts }] : []
        }),
      ),
  }
}

export type PriceCheck = ReturnType<typeof createPriceCheck>

/**
 * Returns the tiers of a gate with an unpayable price: no rail takes it, or the rail that it names was removed. Uses the
 * configuration of the rails only, and contacts none.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/operations.md
 * @example
 * const gate = await storage.read.gates.get(profileId)
 * if (gate) console.log(unpayableTiers(gate.config, rails))
 */
export function unpayableTiers(config: Pick<GateConfig, 'tiers'>, rails: readonly DescribedRail[]): readonly string[] {
  const prices = createPriceCheck(rails)
  const priced = Object.entries(config.tiers).flatMap(([tier, { requirements }]) =>
    paymentsOf(requirements).length > 0 ? [tier] : [],
  )
  if (rails.length === 0) return priced
  const unpayable = new Set(prices.unpayable(config).map(({ tier }) => tier))
  return priced.filter((tier) => unpayable.has(tier))
}
