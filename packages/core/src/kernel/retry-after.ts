const SECONDS = /^\d{1,10}$/
/** Dates of HTTP begin with the name of a day, in each of the three forms (RFC 9110, 5.6.7). */
const HTTP_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}/i
const MAX_LENGTH = 64

/**
 * Reads `Retry-After`, seconds or a date of HTTP. Undefined when it is missing, unreadable, negative or past.
 *
 * @param now - the time of the response
 */
export function parseRetryAfter(value: string | null | undefined, now: Date): Date | undefined {
  const text = value?.trim() ?? ''
  if (text.length > MAX_LENGTH) return undefined
  const time = SECONDS.test(text)
    ? now.getTime() + Number(text) * 1_000
    : HTTP_DATE.test(text)
      ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
      : Number.NaN
  return time > now.getTime() ? new Date(Math.min(time, MAX_TIME)) : undefined
}

/** The last time that `Date` can represent. */
const MAX_TIME = 8_640_000_000_000_000
