import { amountOf, isRecord, MAX_DEPTH, saysNothing, wordsOf } from '../../model/field-values.ts'
import { type Html, html } from './html.ts'
import { foreignLink } from './links.ts'

const MOMENT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/

/** Formats `2026-12-01T19:00:00Z` as `2026-12-01 19:00 UTC`. Undefined for any other text. */
function momentHtml(text: string): Html | undefined {
  const [, day, time, zone = ''] = MOMENT.exec(text) ?? []
  if (day === undefined) return undefined
  return html`<time datetime="${text}">${day} ${time}${zone && ` ${zone === 'Z' ? 'UTC' : zone}`}</time>`
}

function valueHtml(value: unknown, depth: number): Html {
  if (typeof value === 'boolean') return html`${value ? 'yes' : 'no'}`
  if (typeof value === 'number') return html`${value}`
  if (typeof value === 'string') return momentHtml(value) ?? foreignLink(value)
  if (depth > MAX_DEPTH) return html`<code>${JSON.stringify(value)}</code>`
  if (Array.isArray(value)) {
    const isPlain = value.every((item) => typeof item !== 'object')
    if (isPlain) return html`${value.map((item, at) => [at > 0 && ', ', valueHtml(item, depth + 1)])}`
    return html`<ul>${value.map((item) => html`<li>${valueHtml(item, depth + 1)}</li>`)}</ul>`
  }
  if (!isRecord(value)) return html``
  const amount = amountOf(value)
  if (amount !== undefined) return html`${amount}`
  return html`${Object.entries(value).map(([name, member], at) => [at > 0 && html`<br>`, wordsOf(name), ': ', valueHtml(member, depth + 1)])}`
}

/** Returns the members of an object as a description list; false when it has none. */
export function fieldsHtml(fields: Readonly<Record<string, unknown>>): Html | false {
  const said = Object.entries(fields).filter(([, value]) => !saysNothing(value))
  if (said.length === 0) return false
  return html`<dl class="facts">${said.map(([name, value]) => html`<dt>${wordsOf(name)}</dt><dd>${valueHtml(value, 1)}</dd>`)}</dl>`
}
