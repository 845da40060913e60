import { z } from 'zod'
import type { ProfileVisit } from '../../../framework/module/screen.ts'
import {
  actionButton,
  isChosen,
  ofForm,
  screenForm,
  shownText,
  wrongWith,
} from '../../../framework/module/screen-form.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { areaHtml, boxHtml, type Choice, cardsHtml, lineHtml, selectHtml } from '../../../http/html/inputs.ts'
import { isBlank, line, prose } from '../../../kernel/text-fields.ts'
import { type ListingDetails, listingDetails } from '../../../model/listing-details.ts'
import { currency as currencyCode, listedPricingSchema } from '../../../model/pricing.ts'
import { periodName } from '../../../model/pricing-text.ts'
import { shownAmount, typedAmount } from '../../../model/typed-amount.ts'
import { serviceEditMessages, serviceMessages } from './messages.ts'

const { delivery, status } = listingDetails.shape
const MAX = { name: 256, category: 64, description: 4_096 }
const PERIODS = ['hour', 'day', 'week', 'month', 'year'] as const
const PRICES = ['free', 'onRequest', 'once', 'each', 'period'] as const
/** The unit of a price for each use. */
const USE = 'request'

type Pricing = ListingDetails['pricing']
type Price = (typeof PRICES)[number] | 'kept'

/** A service as a form sends it. */
export const sentService = z
  .object({
    name: z.string().trim().pipe(line(MAX.name)),
    category: z.string().trim().pipe(line(MAX.category)),
    description: z
      .string()
      .transform((text) => (isBlank(text) ? undefined : text.replaceAll('\r\n', '\n')))
      .pipe(prose(MAX.description).optional()),
    price: z.enum([...PRICES, 'kept']),
    amount: z.string().trim().transform(typedAmount),
    currency: z.string().trim().toLowerCase(),
    period: z.enum(PERIODS),
    delivery,
    status: status.unwrap(),
    negotiable: z.literal('1').optional(),
  })
  .superRefine(({ price, amount, currency }, context) => {
    const issue = (path: string) => context.addIssue({ code: 'custom', path: [path] })
    if (['once', 'each', 'period'].includes(price) && amount === undefined) issue('amount')
    if (!currencyCode.safeParse(currency).success) issue('currency')
  })

type SentService = z.output<typeof sentService>

function pricingOf({ price, amount, currency, period }: SentService, stored: Pricing | undefined): Pricing {
  switch (price) {
    case 'free':
      return { model: 'free', currency }
    case 'onRequest':
      return { model: 'fixed', currency }
    case 'once':
      return { model: 'fixed', currency, amount }
    case 'each':
      return { model: 'per_request', currency, rate: amount, unit: USE }
    case 'period':
      return { model: 'subscription', currency, amount, period }
    case 'kept':
      return stored ?? { model: 'fixed', currency }
  }
}

/** Returns the price of the form that means a stored one; `kept` for a price that the form cannot show. */
function priceOf(pricing: Pricing): Price {
  const { amount, rate, period = 'month', currency } = pricing
  const asSent = { amount: amount ?? rate, currency, period }
  const stored = new Map<string, unknown>(Object.entries(pricing))
  const same = PRICES.find((price) => {
    const members = Object.entries(pricingOf({ ...EMPTY, ...asSent, price }, undefined))
    const known = members.filter(([, value]) => value !== undefined)
    return known.length === stored.size && known.every(([name, value]) => stored.get(name) === value)
  })
  return same ?? 'kept'
}

const EMPTY: SentService = {
  name: '',
  category: '',
  description: undefined,
  price: 'onRequest',
  amount: undefined,
  currency: 'usd',
  period: 'month',
  delivery: 'async',
  status: 'active',
  negotiable: undefined,
}

/** Returns the details of a service from a form. What the form does not show stays as it is stored. */
export function detailsOf(sent: SentService, stored?: ListingDetails | undefined): ListingDetails {
  const { name, category, description, delivery, status } = sent
  const pricing = listedPricingSchema.parse(pricingOf(sent, stored?.pricing))
  return { ...stored, name, category, description, delivery, status, pricing, negotiable: sent.negotiable === '1' }
}

/** Writes the form of a service; nothing when the viewer may not do its action. */
export function serviceFormHtml(
  visit: ProfileVisit,
  {
    action,
    label,
    stored,
    hidden,
  }: {
    readonly action: string
    readonly label: string
    readonly stored?: ListingDetails
    readonly hidden?: Readonly<Record<string, string>>
  },
): Html | false {
  const shown = ofForm(visit, [action])
  const { site } = visit
  const say = serviceEditMessages(site)
  const pricing = stored?.pricing
  const storedPrice = pricing ? priceOf(pricing) : 'onRequest'
  const period = shownText(shown, 'period', pricing?.period ?? 'month')
  const choices = <Value extends string>(
    name: string,
    values: readonly Value[],
    current: Value,
    text: (value: Value) => string,
  ) =>
    values.map(
      (value): Choice => ({ value, label: text(value), isChosen: isChosen(shown, name, value, value === current) }),
    )
  const priceChoices: readonly Price[] = [...PRICES, ...(storedPrice === 'kept' ? (['kept'] as const) : [])]
  const storedAmount = pricing?.amount ?? pricing?.rate
  return screenForm(
    visit,
    { actions: [action], hidden },
    html`${lineHtml({ name: 'name', label: say('name'), value: shownText(shown, 'name', stored?.name), maxLength: MAX.name, isRequired: true, problem: wrongWith(shown, 'name') })}
${lineHtml({ name: 'category', label: say('category'), hint: say('categoryHint'), value: shownText(shown, 'category', stored?.category), maxLength: MAX.category, isRequired: true, problem: wrongWith(shown, 'category') })}
${areaHtml({ name: 'description', label: say('description'), rows: 5, maxLength: MAX.description, value: shownText(shown, 'description', stored?.description), problem: wrongWith(shown, 'description') })}
${cardsHtml({ name: 'price', label: say('price'), problem: wrongWith(shown, 'price'), choices: choices('price', priceChoices, storedPrice, (price) => (price === 'free' || price === 'onRequest' ? serviceMessages(site)(price) : say(`price_${price}`))) })}
<div class="pair">${lineHtml({ name: 'amount', label: say('amount'), inputMode: 'decimal', value: shownText(shown, 'amount', shownAmount(storedAmount)), problem: wrongWith(shown, 'amount') })}${lineHtml({ name: 'currency', label: say('currency'), value: shownText(shown, 'currency', pricing?.currency ?? 'usd'), maxLength: 3, isExact: true, problem: wrongWith(shown, 'currency') })}</div>
${selectHtml({ name: 'period', label: say('period'), hint: say('periodHint'), choices: PERIODS.map((each) => ({ value: each, label: periodName(site, each), isChosen: each === period })) })}
<div class="pair">${selectHtml({ name: 'delivery', label: say('delivery'), choices: choices('delivery', delivery.options, stored?.delivery ?? 'async', (each) => say(`delivery_${each}`)) })}${selectHtml({ name: 'status', label: say('status'), choices: choices('status', status.unwrap().options, stored?.status ?? 'active', (each) => say(`status_${each}`)) })}</div>
<p>${boxHtml({ name: 'negotiable', value: '1', label: say('negotiable'), isChecked: isChosen(shown, 'negotiable', '1', stored?.negotiable ?? false) })}</p>
<p class="bar">${actionButton(visit, action, label)}</p>`,
  )
}
