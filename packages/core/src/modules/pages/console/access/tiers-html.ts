import type { ProfileVisit } from '../../../../framework/module/screen.ts'
import {
  actionButton,
  isChosen,
  ofForm,
  screenForm,
  shownText,
  wrongWith,
} from '../../../../framework/module/screen-form.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { boxHtml, cardsHtml, lineHtml, selectHtml } from '../../../../http/html/inputs.ts'
import { hrefOn, type Site } from '../../../../http/html/view.ts'
import type { GateTier } from '../../../../model/gate-config.ts'
import { offerText, termText } from '../../../../model/offer-text.ts'
import { decimalAmount } from '../../../../model/price-text.ts'
import { shownAmount } from '../../../../model/typed-amount.ts'
import { accessMessages } from '../messages.ts'
import type { SoldResource, SoldResources } from './sold-resources.ts'
import { kindOf, priceOf, type TierKind } from './tier-form.ts'

const CURRENCIES = ['usd', 'eur', 'gbp', 'jpy', 'usdc'] as const
const TERMS = ['day', 'week', 'month', 'year', 'once'] as const
/** How many of the resources of a tier its card names. */
const MAX_NAMED = 8

/** A tier with its name in the configuration. */
export interface NamedTier {
  readonly name: string
  readonly tier: GateTier
}

/** Everything, and all pages. */
const wholes = (site: Site): readonly SoldResource[] => [
  { pattern: '*', name: accessMessages(site)('everything') },
  { pattern: 'content.*', name: accessMessages(site)('allPages') },
]

/** Returns the words for patterns: what people call the resources that they name. */
export function namesOf(site: Site, resources: SoldResources): (pattern: string) => string | undefined {
  const say = accessMessages(site)
  const names = new Map<string, string>([
    ...[...wholes(site), ...resources.pages, ...resources.files].map(({ pattern, name }) => [pattern, name] as const),
    ...resources.categories.map(({ pattern, name }) => [pattern, say('inCategory', { name })] as const),
    ...resources.fields.map(({ pattern, name }) => [pattern, say(`field_${name}`)] as const),
  ])
  return (pattern) => names.get(pattern)
}

/** Writes what a tier is called: its label, else what it opens. */
export const titleOf = (site: Site, { tier }: NamedTier, nameOf: (pattern: string) => string | undefined): string =>
  tier.label ?? tier.access.map(nameOf).find((name) => name !== undefined) ?? accessMessages(site)('unnamed')

/** Writes whom a tier is for. */
export function whoText(site: Site, { tier }: Pick<NamedTier, 'tier'>): string {
  const say = accessMessages(site)
  const price = priceOf(tier)
  if (price) {
    const text = offerText(site, { ...price, amount: decimalAmount(price) })
    return tier.requirements.length > 1 ? say('paidAndMore', { price: text }) : text
  }
  return say(kindOf(tier) === 'followers' ? 'followers' : 'otherRules')
}

/** Writes a tier as a card: whom it is for, what it opens, and a link to its form. */
export function tierCard(visit: ProfileVisit, named: NamedTier, nameOf: (pattern: string) => string | undefined): Html {
  const { site, path } = visit
  const say = accessMessages(site)
  const known = named.tier.access.flatMap((pattern) => nameOf(pattern) ?? [])
  const others = named.tier.access.length - Math.min(known.length, MAX_NAMED)
  return html`<section class="card"><h2><bdi>${titleOf(site, named, nameOf)}</bdi></h2><p><bdi>${whoText(site, named)}</bdi></p>
<ul>${known.slice(0, MAX_NAMED).map((name) => html`<li><bdi>${name}</bdi></li>`)}${others > 0 && html`<li>${say('more', { count: others })}</li>`}</ul>${
    visit.allows('saveTier') &&
    html`<p class="acts"><a class="btn second" href="${hrefOn(site, `${path}?tier=${named.name}`)}">${say('change')}<span class="sr-only"> <bdi>${titleOf(site, named, nameOf)}</bdi></span></a></p>`
  }</section>\n`
}

function boxesHtml(
  visit: ProfileVisit,
  title: string,
  resources: readonly SoldResource[],
  stored: readonly string[],
): Html | false {
  if (resources.length === 0) return false
  const isStored = (pattern: string) => stored.includes(pattern)
  const isOpen = resources.some(({ pattern }) => isChosen(visit, 'opens', pattern, isStored(pattern)))
  return html`<details${isOpen && html` open`}><summary>${title}</summary>${resources.map(({ pattern, name }, index) =>
    boxHtml({
      name: 'opens',
      id: `opens-${title.length}-${index}-${pattern.replaceAll(/[^a-z0-9]/g, '-')}`,
      value: pattern,
      label: html`<bdi>${name}</bdi>`,
      isChecked: isChosen(visit, 'opens', pattern, isStored(pattern)),
    }),
  )}</details>\n`
}

/** Writes the boxes with what a tier opens. Patterns that have no words are kept as they are. */
function opensHtml(visit: ProfileVisit, resources: SoldResources, stored: readonly string[]): Html {
  const { site } = visit
  const say = accessMessages(site)
  const nameOf = namesOf(site, resources)
  const named = (list: readonly SoldResource[]) => list.map(({ pattern }) => ({ pattern, name: nameOf(pattern) ?? '' }))
  const unnamed = stored.filter((pattern) => nameOf(pattern) === undefined)
  const problem = wrongWith(visit, 'opens')
  return html`<fieldset class="card"><legend>${say('opens')}</legend>${problem && html`<p class="wrong">${problem}</p>`}${boxesHtml(visit, say('wholes'), wholes(site), stored)}${boxesHtml(visit, say('pages'), resources.pages, stored)}${boxesHtml(visit, say('categories'), named(resources.categories), stored)}${boxesHtml(visit, say('files'), resources.files, stored)}${boxesHtml(visit, say('fields'), named(resources.fields), stored)}${
    unnamed.length > 0 &&
    html`<p class="soft">${say('kept', { count: unnamed.length })}</p>${unnamed.map((pattern) => html`<input type="hidden" name="opens" value="${pattern}">`)}`
  }</fieldset>\n`
}

/** What the form of a tier shows. */
export interface TierFormParts {
  /** Undefined for a new tier. */
  readonly named: NamedTier | undefined
  readonly resources: SoldResources
  /** The ETag of the configuration. */
  readonly tag: string
}

/** Writes the box that asks before something that is paid becomes free. */
export const confirmHtml = (visit: ProfileVisit): Html | false => {
  const asks = wrongWith(visit, 'confirm')
  return (
    asks !== undefined &&
    html`<p class="wrong">${asks}</p>${boxHtml({ name: 'confirm', value: '1', label: accessMessages(visit.site)('confirmOpen'), isChecked: false })}`
  )
}

/** Writes the form of a tier. */
export function tierFormHtml(visited: ProfileVisit, { named, resources, tag }: TierFormParts): Html | false {
  const visit = ofForm(visited, ['saveTier'])
  const { site } = visit
  const say = accessMessages(site)
  const tier = named?.tier
  const price = tier && priceOf(tier)
  const kind: TierKind = tier ? kindOf(tier) : 'paid'
  const chosen = shownText(visit, 'kind', kind)
  const currency = shownText(visit, 'currency', price?.currency ?? 'usd')
  const per = shownText(visit, 'per', price?.per ?? 'month')
  const currencies = [...new Set<string>([...CURRENCIES, currency])]
  const terms = price && !TERMS.some((each) => each === price.per) ? [price.per, ...TERMS] : TERMS
  const paid = html`<div class="pair">${lineHtml({ name: 'amount', label: say('amount'), inputMode: 'decimal', value: shownText(visit, 'amount', shownAmount(price?.amount)), problem: wrongWith(visit, 'amount') })}${selectHtml({ name: 'currency', label: say('currency'), choices: currencies.map((each) => ({ value: each, label: each.toUpperCase(), language: 'en', isChosen: each === currency })) })}</div>${selectHtml({ name: 'per', label: say('term'), choices: terms.map((each) => ({ value: each, label: termText(site, each), isChosen: each === per })) })}`
  const kinds = kind === 'other' ? (['followers', 'paid', 'other'] as const) : (['followers', 'paid'] as const)
  return screenForm(
    visit,
    { actions: ['saveTier'], hidden: { gate: tag, tier: named?.name ?? '' } },
    html`${lineHtml({ name: 'label', label: say('label'), hint: say('labelHint'), maxLength: 128, value: shownText(visit, 'label', tier?.label), problem: wrongWith(visit, 'label') })}${cardsHtml(
      {
        name: 'kind',
        label: say('who'),
        choices: kinds.map((each) => ({
          value: each,
          label: say(`kind_${each}`),
          hint: say(`kind_${each}_hint`),
          isChosen: each === chosen,
          ...(each === 'paid' && { opens: paid }),
        })),
      },
    )}${opensHtml(visit, resources, tier?.access ?? [])}${confirmHtml(visit)}<p class="acts">${actionButton(visit, 'saveTier', say('save'))}<a href="${hrefOn(site, visit.path)}">${say('back')}</a></p>`,
  )
}
