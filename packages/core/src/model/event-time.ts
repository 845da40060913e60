import { Temporal } from 'temporal-polyfill'

const HAS_OFFSET = /(?:Z|[+-]\d{2}:?\d{2})$/i

/** A time of an event as its owner wrote it, with the time zone of the event. */
export interface WrittenTime {
  readonly text: string
  readonly timezone?: string | undefined
}

/**
 * The moment of a time. Without an offset it is the time on clocks in the zone of the event: of an hour that exists twice the first, and
 * of one that does not exist the time that the clocks show instead. Undefined without offset and zone, and for times that cannot be read.
 */
function momentOf({ text, timezone }: WrittenTime): Temporal.ZonedDateTime | undefined {
  try {
    if (HAS_OFFSET.test(text)) return Temporal.Instant.from(text).toZonedDateTimeISO(timezone ?? 'UTC')
    if (timezone === undefined) return undefined
    return Temporal.PlainDateTime.from(text).toZonedDateTime(timezone, { disambiguation: 'compatible' })
  } catch {
    return undefined
  }
}

/** Whether an event ends before it starts. Times that cannot be compared, as one with and one without an offset, are in order. */
export function endsBeforeStart({
  start,
  end,
  timezone,
}: Readonly<Record<'start' | 'end', string>> & { readonly timezone?: string | undefined }): boolean {
  const [from, until] = [momentOf({ text: start, timezone }), momentOf({ text: end, timezone })]
  if (from && until) return Temporal.Instant.compare(until.toInstant(), from.toInstant()) < 0
  if (HAS_OFFSET.test(start) || HAS_OFFSET.test(end)) return false
  return Temporal.PlainDateTime.compare(end, start) < 0
}

/** A time with its offset (RFC 3339), as programs need it; without a known zone, as it was written. */
export function withOffset(time: WrittenTime): string {
  if (HAS_OFFSET.test(time.text)) return time.text
  return momentOf(time)?.toString({ timeZoneName: 'never', fractionalSecondDigits: 0 }) ?? time.text
}

/**
 * Returns what to format to show a time as the clocks of the event show it: the instant, and the time zone to format it in. Undefined for
 * a text that is not a time.
 */
export function clockTime(time: WrittenTime): { readonly at: Date; readonly timeZone: string } | undefined {
  const exact = withOffset(time)
  const isLocal = !HAS_OFFSET.test(exact)
  const at = new Date(isLocal ? `${exact}Z` : exact)
  return Number.isNaN(at.getTime()) ? undefined : { at, timeZone: isLocal ? 'UTC' : (time.timezone ?? 'UTC') }
}
