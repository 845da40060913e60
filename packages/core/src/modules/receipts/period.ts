import type { Per } from '../../ports/payment-rail.ts'

const HOUR_MS = 3_600_000
const SPANS_MS: Partial<Record<Per, number>> = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS }

/** The same time some months later, in UTC; the last day of the month if the day does not exist. */
function addMonths(from: Date, months: number): Date {
  const year = from.getUTCFullYear()
  const month = from.getUTCMonth() + months
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const moved = new Date(from)
  moved.setUTCFullYear(year, month, Math.min(from.getUTCDate(), lastDay))
  return moved
}

/**
 * The end of the access of a payment: hours, days and weeks are fixed spans, months and years those of the
 * calendar, `once` has no end (null). Access by `request` ends when it begins, and is never stored.
 */
export function validUntil(per: Per, from: Date): Date | null {
  if (per === 'once') return null
  if (per === 'month') return addMonths(from, 1)
  if (per === 'year') return addMonths(from, 12)
  return new Date(from.getTime() + (SPANS_MS[per] ?? 0))
}
