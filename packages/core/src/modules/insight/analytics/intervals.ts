import { DAY_MS, HOUR_MS } from '../../../kernel/durations.ts'

/** The intervals of figures. They begin at full units in UTC; weeks on Monday. */
export const INTERVALS = ['hour', 'day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

/** The start of the interval that contains a time. */
export function startOfInterval(time: Date, interval: Interval): Date {
  if (interval === 'hour') return new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS)
  const [year, month, date] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()]
  if (interval === 'month') return new Date(Date.UTC(year, month, 1))
  const day = new Date(Date.UTC(year, month, date))
  return interval === 'day' ? day : new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * DAY_MS)
}

/** The start of the interval that is `steps` after the one that begins at a time. */
export function addIntervals(start: Date, interval: Interval, steps: number): Date {
  if (interval === 'month') return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + steps, 1))
  const days = { hour: 1 / 24, day: 1, week: 7 }[interval]
  return new Date(start.getTime() + Math.round(steps * days * DAY_MS))
}

/** The intervals in a period, by their starts; undefined when there are more than `max`. */
export function intervalsIn(from: Date, to: Date, interval: Interval, max: number): readonly Date[] | undefined {
  const starts: Date[] = []
  for (let at = startOfInterval(from, interval); at < to; at = addIntervals(at, interval, 1)) {
    if (starts.length === max) return undefined
    starts.push(at)
  }
  return starts
}
