import { withOffset } from '../../model/event-time.ts'
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
  if (!MOMENT.test(text)) return undefined
  const exact = withOffset({ text, timezone: timeZone })
  const isLocal = MOMENT.exec(exact)?.[1] === undefined
  const moment = new Date(isLocal ? `${exact}Z` : exact)
  if (Number.isNaN(moment.getTime())) return undefined
  const clock = isLocal ? 'UTC' : (timeZone ?? 'UTC')
  const shown = new Intl.DateTimeFormat(language, { ...STYLE, timeZone: clock }).format(moment)
  const zone = timeZone === undefined ? (isLocal ? undefined : 'UTC') : zoneName(language, timeZone, moment)
  return html`<time datetime="${exact}">${shown}</time>${zone && html` <span class="soft">${zone}</span>`}`
}
