import type { ScreenTexts } from '../../../framework/module/screen.ts'
import { textOf } from '../../../framework/module/screen-form.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { lineHtml } from '../../../http/html/inputs.ts'
import type { PageLanguage } from '../../../model/messages.ts'
import { moneyText } from '../../../model/money-text.ts'
import { shownAmount, typedAmount } from '../../../model/typed-amount.ts'
import type { SpendingLimits, SpendLimit } from '../../../ports/storage/app-spending.ts'
import { consentMessages } from './messages.ts'

/** Amounts are stored in millionths. */
export const MILLIONTHS = 1_000_000

/** The limits that a person chooses, in whole units: dollars, and the same in euros; credits for a day. */
export interface ChosenLimits {
  readonly purchase: number
  readonly day: number
  readonly month: number
  readonly credits: number
}

const LIMITS = ['purchase', 'day', 'month', 'credits'] as const
type LimitName = (typeof LIMITS)[number]

/** The limits of a form, as they were entered. */
export interface EnteredLimits {
  readonly limits: Readonly<Partial<Record<LimitName, string>>>
}

/** What the inputs of limits show. */
export interface LimitsInput {
  /** The current choice. */
  readonly chosen: ChosenLimits
  /** The most that the operator permits. */
  readonly most: ChosenLimits
  /** Whether the app can get a scope that pays with money. */
  readonly hasMoney: boolean
  /** Whether it can get the scope that spends credits. */
  readonly hasCredits: boolean
}

/** The name of the input of a limit. */
export const limitInput = (name: LimitName): string => `limit_${name}`

/** Reads the limits of a form as texts. */
export const enteredLimits = (texts: ScreenTexts): EnteredLimits['limits'] =>
  Object.fromEntries(
    LIMITS.flatMap((name) => {
      const text = textOf(texts, limitInput(name))
      return text === undefined ? [] : [[name, text]]
    }),
  )

/** The limits of a form, or the inputs whose values are not amounts within what the operator permits. */
export type ReadLimits =
  | { readonly limits: ChosenLimits; readonly wrong?: undefined }
  | { readonly limits?: undefined; readonly wrong: readonly LimitName[] }

/** Checks the limits that were entered. A limit without an input keeps its value. */
export function readLimits(
  entered: EnteredLimits['limits'],
  { chosen, most }: Pick<LimitsInput, 'chosen' | 'most'>,
): ReadLimits {
  const read = LIMITS.map((name) => {
    const text = entered[name]?.trim()
    const amount = text === undefined ? chosen[name] : typedAmount(text)
    return { name, amount: amount !== undefined && amount <= most[name] ? amount : undefined }
  })
  const wrong = read.filter(({ amount }) => amount === undefined).map(({ name }) => name)
  if (wrong.length > 0) return { wrong }
  const of = (name: LimitName) => read.find((each) => each.name === name)?.amount ?? 0
  return { limits: { purchase: of('purchase'), day: of('day'), month: of('month'), credits: of('credits') } }
}

/** The largest limit that the storage compares, for a month of credits, which have a limit for a day only. */
const DAYS_OF_MONTH = 31

/** Limits as the storage has them. */
export function storedLimits({ purchase, day, month, credits }: ChosenLimits): SpendingLimits {
  const money: SpendLimit = {
    purchase: Math.round(purchase * MILLIONTHS),
    day: Math.round(day * MILLIONTHS),
    month: Math.round(month * MILLIONTHS),
  }
  const inDay = Math.round(credits * MILLIONTHS)
  return { usd: money, eur: money, credits: { purchase: inDay, day: inDay, month: inDay * DAYS_OF_MONTH } }
}

/** The limits of a connection in whole units, with those of the service where the person chose none. */
export function chosenLimits(stored: SpendingLimits | null, byDefault: ChosenLimits): ChosenLimits {
  const { usd, credits } = stored ?? {}
  return {
    purchase: usd ? usd.purchase / MILLIONTHS : byDefault.purchase,
    day: usd ? usd.day / MILLIONTHS : byDefault.day,
    month: usd ? usd.month / MILLIONTHS : byDefault.month,
    credits: credits ? credits.day / MILLIONTHS : byDefault.credits,
  }
}

/** Whether any limit is greater than before. */
export const isRaised = (before: ChosenLimits, after: ChosenLimits): boolean =>
  LIMITS.some((name) => after[name] > before[name])

const numberText = ({ language = 'en' }: PageLanguage, value: number) => new Intl.NumberFormat(language).format(value)

/** The most that an input takes, as a person reads it. */
export const mostText = (page: PageLanguage, name: LimitName, most: ChosenLimits): string =>
  name === 'credits' ? numberText(page, most.credits) : moneyText(page, String(most[name]), 'usd')

/** Writes the inputs of the limits of spending. */
export function limitInputsHtml(
  page: PageLanguage,
  { chosen, most, hasMoney, hasCredits }: LimitsInput,
  entered?: (EnteredLimits & { readonly wrong: Readonly<Record<string, string | undefined>> }) | undefined,
): Html {
  const say = consentMessages(page)
  const input = (name: LimitName) =>
    lineHtml({
      name: limitInput(name),
      label: say(name),
      value: entered?.limits[name] ?? shownAmount(chosen[name]),
      inputMode: 'decimal',
      maxLength: 20,
      hint: say('atMost', { amount: mostText(page, name, most) }),
      problem: entered?.wrong[limitInput(name)],
    })
  return html`<fieldset class="card"><legend>${say('limits')}</legend><p class="soft">${say('limitsHint')}</p><div class="thirds">${hasMoney && [input('purchase'), input('day'), input('month')]}${hasCredits && input('credits')}</div></fieldset>\n`
}
