import { z } from 'zod'
import type { JsonObject } from '../../../kernel/json.ts'
import type { Purchase } from '../../../ports/payment-rail.ts'
import { currencyOf, lowestPrice, type Quote } from '../../access/paywall/index.ts'

/** What an operation states of its price, for registries of the scheme `Payment` (`offers`) and for agents (`price`, `protocols`). */
export interface PaymentInfo extends JsonObject {
  readonly price: JsonObject
  readonly protocols: readonly JsonObject[]
}

/** The request of a challenge: the amount in the smallest unit, and its currency. */
const requestSchema = z.looseObject({ amount: z.string().regex(/^(0|[1-9]\d*)$/), currency: z.string().min(1) })

interface PaymentOffer {
  readonly intent: string
  readonly method: string
  readonly amount: string
  readonly currency: string
  readonly description?: string
}

/** Reads the offer of a challenge; undefined for one without an amount. */
function offerOf({
  intent,
  method,
  request = '',
  description,
}: Readonly<Record<string, string>>): PaymentOffer | undefined {
  if (!intent || !method) return undefined
  let decoded: unknown
  try {
    decoded = JSON.parse(Buffer.from(request, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
  const { success, data } = requestSchema.safeParse(decoded)
  if (!success) return undefined
  const { amount, currency } = data
  return { intent, method, amount, currency, ...(description && { description }) }
}

/** The lowest price of a quote, in the currency of its first purchase. */
export function priceOf({ purchases }: Quote): Purchase['price'] {
  const price = lowestPrice(purchases.map((purchase) => purchase.price))
  if (!price) throw new Error('a quote has at least one purchase')
  return price
}

/** The term of the lowest price of a quote. */
export function perOf(quote: Quote): Purchase['per'] {
  const { amount, currency } = priceOf(quote)
  const cheapest = quote.purchases.find(({ price }) => price.amount === amount && price.currency === currency)
  return cheapest?.per ?? 'once'
}

/** The offers that clients of x402 pay: those of the scheme `exact`. Rails may list others, which only their own clients read. */
export const exactOffers = ({ accepts }: Pick<Quote, 'accepts'>): readonly JsonObject[] =>
  accepts.filter(({ scheme }) => scheme === 'exact')

function protocolsOf(quote: Quote): readonly JsonObject[] {
  const offers = quote.challenges.map(offerOf).filter((offer) => offer !== undefined)
  const methods = new Map(
    offers.map(({ method, intent, currency }) => [`${method} ${intent}`, { method, intent, currency }]),
  )
  return [...(exactOffers(quote).length > 0 ? [{ x402: {} }] : []), ...[...methods.values()].map((mpp) => ({ mpp }))]
}

/** The extension `x-payment-info` of a resource with one price. */
export function paymentInfo(quote: Quote): PaymentInfo {
  const price = priceOf(quote)
  const offers = quote.challenges.map(offerOf).filter((offer) => offer !== undefined)
  return {
    price: { mode: 'fixed', currency: currencyOf(price), amount: price.amount },
    protocols: protocolsOf(quote),
    ...(offers.length > 0 && { offers: offers.map((offer) => ({ ...offer })) }),
  }
}

/** The extension `x-payment-info` of a path template: a range of prices, from 0 to the highest one of the given quotes. */
export function templateInfo(quotes: readonly [Quote, ...Quote[]]): PaymentInfo {
  const [example] = quotes
  const currency = currencyOf(priceOf(example))
  const amounts = quotes
    .map(priceOf)
    .filter((price) => currencyOf(price) === currency)
    .map(({ amount }) => amount)
  const max = amounts.reduce((highest, amount) => (Number(amount) > Number(highest) ? amount : highest))
  const offers = example.challenges.map(offerOf).filter((offer) => offer !== undefined)
  return {
    price: { mode: 'dynamic', currency, min: '0', max },
    protocols: protocolsOf(example),
    ...(offers.length > 0 && { offers: offers.map((offer) => ({ ...offer, amount: null })) }),
  }
}
