import type { PageLanguage } from '../../model/messages.ts'
import { type Html, html } from './html.ts'

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/
const STYLE = { dateStyle: 'full', timeStyle: 'short' } as const

/** The name of a time zone in a language, such as `Central European Standard Time`. */
function zoneName(language: string, timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'long' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}

/**
 * Writes an ISO 8601 date and time in the language of a page, as the clocks in a time zone show it. A time without an
 * offset is the time of those clocks. Undefined for any other text.
 *
 * @param timeZone - of the IANA database. Default: UTC for times with an offset.
 */
export function zonedTime(
  { language = 'en' }: PageLanguage,
  text: string,
  timeZone: string | undefined,
): Html | undefined {
  const found = MOMENT.exec(text)
  if (!found) return undefined
  const isLocal = found[1] === undefined
  const moment = new Date(isLocal ? `${text}Z` : text)
  if (Number.isNaN(moment.getTime())) return undefined
  const shown = new Intl.DateTimeFormat(language, { ...STYLE, timeZone: isLocal ? 'UTC' : (timeZone ?? 'UTC') }).format(
    moment,
  )
  const zone = timeZone === undefined ? (isLocal ? undefined : 'UTC') : zoneName(language, timeZone, moment)
  return html`<time datetime="${text}">${shown}</time>${zone && html` <span class="soft">${zone}</span>`}`
}
