import { z } from 'zod'
import { parsePaymentChallenges } from '../../../ports/payment-scheme.ts'
import { challengesOf } from './paid-page.ts'
import { isRecord, type SiteAnswer } from './site.ts'

const amount = z.string().regex(/^(0|[1-9]\d*)$/, 'is not an integer')
const decimal = z.string().regex(/^\d{1,20}(\.\d{1,20})?$/, 'is not a decimal')
const currency = z.string().min(1)
const offer = z.looseObject({
  amount: amount.nullable(),
  method: z.string().min(1),
  intent: z.string().min(1),
  currency,
})
const price = z.union([
  z.looseObject({ mode: z.literal('fixed'), currency, amount: decimal }),
  z.looseObject({ mode: z.literal('dynamic'), currency }),
])
const FLAT = ['amount', 'currency', 'intent', 'method', 'description'] as const

/** `x-payment-info` in the form of offers, of a price, or of both. Flat members are another form, and never beside offers. */
export const paymentInfoSchema = z
  .looseObject({
    offers: z.array(offer).min(1).optional(),
    price: price.optional(),
    protocols: z.array(z.looseObject({})).optional(),
  })
  .refine(
    (info) => info.offers !== undefined || info.price !== undefined || FLAT.some((name) => name in info),
    'has no price',
  )
  .refine((info) => info.offers === undefined || FLAT.every((name) => !(name in info)), 'has offers and flat members')

type PaymentInfo = z.infer<typeof paymentInfoSchema>

/** A priced operation of a document. */
export interface PricedOperation {
  readonly method: string
  readonly path: string
  readonly operation: Readonly<Record<string, unknown>>
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
const MAX_PATHS = 1_000

/** The operations with `x-payment-info`. */
export function pricedOperations(document: Readonly<Record<string, unknown>>): readonly PricedOperation[] {
  const paths = isRecord(document.paths) ? document.paths : {}
  return Object.entries(paths)
    .slice(0, MAX_PATHS)
    .flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const operation = isRecord(item) ? item[method] : undefined
        return isRecord(operation) && operation['x-payment-info'] !== undefined ? [{ method, path, operation }] : []
      }),
    )
}

/** The path of an operation with the examples of its parameters; undefined when a parameter has none. */
export function examplePathOf({ path, operation }: PricedOperation): string | undefined {
  const parameters = Array.isArray(operation.parameters) ? operation.parameters.filter(isRecord) : []
  let isComplete = true
  const filled = path.slice(0, 2_000).replaceAll(/\{([^{}/]{1,100})\}/g, (_, name: string) => {
    const found = parameters.find((one) => one.in === 'path' && one.name === name)
    const schema = isRecord(found?.schema) ? found.schema : {}
    const example = found?.example ?? schema.example
    if (typeof example !== 'string' && typeof example !== 'number') isComplete = false
    return encodeURIComponent(String(example))
  })
  return isComplete && filled.startsWith('/') ? filled : undefined
}

/** Decimals of the tokens and currencies that offers are paid in. */
const DECIMALS = [0, 2, 6, 8, 18]

/** Whether an integer of a smallest unit is a decimal amount, in one of the usual numbers of decimals. */
function isAmount(atomic: string, given: string): boolean {
  const [whole = '', fraction = ''] = given.split('.')
  return DECIMALS.some((decimals) => {
    if (fraction.length > decimals) return false
    return (whole + fraction.padEnd(decimals, '0')).replace(/^0+(?=\d)/, '') === atomic
  })
}

function acceptsIn({ headers }: SiteAnswer): readonly Readonly<Record<string, unknown>>[] {
  try {
    const required: unknown = JSON.parse(Buffer.from(headers.get('payment-required') ?? '', 'base64').toString('utf8'))
    return isRecord(required) && Array.isArray(required.accepts) ? required.accepts.filter(isRecord) : []
  } catch {
    return []
  }
}

/** The amounts that the challenges of the scheme `Payment` ask for, by method. */
function challengedAmounts(answer: SiteAnswer): ReadonlyMap<string, unknown> {
  return new Map(
    parsePaymentChallenges(challengesOf(answer)).flatMap(({ method, request }) => {
      try {
        const decoded: unknown = JSON.parse(Buffer.from(request, 'base64url').toString('utf8'))
        return isRecord(decoded) ? [[method, decoded.amount] as const] : []
      } catch {
        return []
      }
    }),
  )
}

/** Whether the 402 of an operation asks for the listed price: the lowest of its offers of x402, and that of each challenge. */
export function asksListedPrice(answer: SiteAnswer, { price, offers = [] }: PaymentInfo): boolean {
  const asked = challengedAmounts(answer)
  const differs = offers.some(
    ({ amount, method }) => amount !== null && asked.has(method) && asked.get(method) !== amount,
  )
  if (differs) return false
  if (price?.mode !== 'fixed') return true
  const exact = acceptsIn(answer).filter(({ scheme }) => scheme === 'exact')
  return (
    exact.length === 0 ||
    exact.some((one) => typeof one.amount === 'string' && isAmount(one.amount, String(price.amount)))
  )
}
