import { Temporal } from 'temporal-polyfill'

/** Whether a text names a time zone of the IANA database, such as `Europe/Berlin`. */
export const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** A day of a calendar, and the moment at which it begins in a time zone. */
export interface LocalDay {
  /** `2026-03-29` */
  readonly date: string
  readonly start: Date
}

/** The days in a time zone that a period touches, from `from` until before `to`. A day may have 23 or 25 hours. */
export function localDays({ from, to }: Readonly<Record<'from' | 'to', Date>>, timeZone: string): readonly LocalDay[] {
  const days: LocalDay[] = []
  let day = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(timeZone).toPlainDate()
  for (;;) {
    const start = new Date(day.toZonedDateTime(timeZone).epochMilliseconds)
    if (start >= to) return days
    days.push({ date: day.toString(), start })
    day = day.add({ days: 1 })
  }
}
