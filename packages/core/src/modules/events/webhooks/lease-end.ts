import { DAY_MS } from '../../../kernel/durations.ts'

/** Returns when a lease that starts now ends, and when the end is announced: a day before, or when a tenth of it is left. */
export function leaseEnd(now: Date, leaseSeconds: number): { readonly expiresAt: Date; readonly noticeAt: Date } {
  const leaseMs = leaseSeconds * 1_000
  const tenth = leaseMs / 10
  const aheadMs = tenth < DAY_MS && leaseMs > 2 * DAY_MS ? DAY_MS : tenth
  return { expiresAt: new Date(now.getTime() + leaseMs), noticeAt: new Date(now.getTime() + leaseMs - aheadMs) }
}
