import { amountOf, isRecord, MAX_DEPTH, saysNothing, wordsOf } from '../../model/field-values.ts'
import type { PageLanguage } from '../../model/messages.ts'
import { moneyText } from '../../model/money-text.ts'
import { type Html, html } from './html.ts'
import { foreignLink } from './links.ts'
import { fieldMessages } from './messages.ts'
import { zonedTime } from './zoned-time.ts'

function valueHtml(value: unknown, page: PageLanguage, depth: number): Html {
  if (typeof value === 'boolean') return html`${fieldMessages(page)(value ? 'yes' : 'no')}`
  if (typeof value === 'number') return html`${value}`
  if (typeof value === 'string') return zonedTime(page, value, undefined) ?? foreignLink(value)
  if (depth > MAX_DEPTH) return html`<code>${JSON.stringify(value)}</code>`
  const within = (item: unknown) => valueHtml(item, page, depth + 1)
  if (Array.isArray(value)) {
    const isPlain = value.every((item) => typeof item !== 'object')
    if (isPlain) return html`${value.map((item, index) => [index > 0 && ', ', within(item)])}`
    return html`<ul>${value.map((item) => html`<li>${within(item)}</li>`)}</ul>`
  }
  if (!isRecord(value)) return html``
  if (amountOf(value)) return html`<bdi>${moneyText(page, String(value.amount), String(value.currency))}</bdi>`
  return html`${Object.entries(value).map(([name, member], index) => [index > 0 && html`<br>`, html`<bdi>${wordsOf(name)}</bdi>: `, within(member)])}`
}

/**
 * Returns the members of an object as a description list; false when it has none.
 *
 * @param labelOf - the label of a member in the language of the page. Default: its name, as people wrote it
 */
export function fieldsHtml(
  fields: Readonly<Record<string, unknown>>,
  page: PageLanguage,
  labelOf?: (name: string) => string | undefined,
): Html | false {
  const said = Object.entries(fields).filter(([, value]) => !saysNothing(value))
  if (said.length === 0) return false
  return html`<dl class="facts">${said.map(([name, value]) => html`<dt>${labelOf?.(name) ?? html`<bdi>${wordsOf(name)}</bdi>`}</dt><dd>${valueHtml(value, page, 1)}</dd>`)}</dl>`
}
