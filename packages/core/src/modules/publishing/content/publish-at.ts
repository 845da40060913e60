import { DAY_MS } from '../../../kernel/durations.ts'
import { inThePast, tooFarAhead } from './errors.ts'

/** How far ahead a publication may be scheduled. */
const MAX_AHEAD_MS = 366 * DAY_MS

/**
 * Checks the time of a scheduled publication. Null, which cancels it, and undefined are always allowed.
 *
 * @throws `in_the_past`, `too_far_ahead`
 */
export function checkPublishAt(publishAt: Date | null | undefined, now: Date): void {
  if (!publishAt) return
  if (publishAt <= now) throw inThePast()
  if (publishAt.getTime() - now.getTime() > MAX_AHEAD_MS) throw tooFarAhead()
}
