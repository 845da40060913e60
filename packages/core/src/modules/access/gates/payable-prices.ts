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

/** The limits of prices in one currency at a rail. */
interface TakenCurrency extends Partial<PriceLimits> {
  readonly currency: string
}

/** The prices that a rail takes. */
export interface TakenPrices {
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
}

function limitProblem(amount: string, { minimum, maximum, decimals }: PriceLimits): PriceProblem | undefined {
  const [, fraction = ''] = amount.split('.')
  if (fraction.length > decimals) return 'decimals'
  if (Number(amount) < Number(minimum)) return 'below_minimum'
  return maximum !== undefined && Number(amount) > Number(maximum) ? 'above_maximum' : undefined
}

/** Why a rail does not take a price; undefined when it does, or when it does not declare what it takes. */
function problemAt({ info }: DescribedRail, price: PaymentRequirement): PriceProblem | undefined {
  if (!info) return undefined
  const network = info.protocol === 'x402' ? allowedNetwork(price) : undefined
  const problems = info.accepts
    .filter((accepted) => network === undefined || accepted.network === network)
    .filter(({ currencies }) => currencies.includes(price.currency))
    .map(({ limits }) => {
      const known = limits && Object.hasOwn(limits, price.currency) ? limits[price.currency] : undefined
      return known && limitProblem(decimalAmount(price), known)
    })
  if (problems.length === 0) return 'currency'
  return problems.includes(undefined) ? undefined : problems[0]
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

  /** Why no rail that a price allows takes it; undefined when one does, and without rails. */
  function problemOf(price: PaymentRequirement): PriceProblem | undefined {
    if (rails.length === 0) return undefined
    const allowed = allowedRails(price, rails) ?? rails
    if (allowed.length === 0) return 'method'
    const problems = allowed.map((rail) => problemAt(rail, price))
    // A limit is of more use to the owner than a currency that another rail does not know.
    return problems.includes(undefined) ? undefined : (problems.find((one) => one !== 'currency') ?? 'currency')
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
    /** The prices that the rails take. */
    taken,
    /** The payments of a configuration whose price no rail takes. */
    unpayable: ({ tiers }: Pick<GateConfig, 'tiers'>): readonly UnpayablePrice[] =>
      Object.entries(tiers).flatMap(([tier, { requirements }]) =>
        paymentsAt(requirements, `/tiers/${tier}/requirements`).flatMap(({ path, requirement }) => {
          const code = problemOf(requirement)
          return code ? [{ tier, path, code, message: messageOf(code, requirement), requirement }] : []
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
