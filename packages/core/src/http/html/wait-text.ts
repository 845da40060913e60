import type { EepError } from '../../kernel/errors.ts'
import type { PageLanguage } from '../../model/messages.ts'

/** Returns a time in words, in minutes from two minutes on, rounded up: "42 seconds". */
export function waitText({ language = 'en' }: PageLanguage, seconds: number): string {
  const [value, unit] = seconds < 120 ? [Math.ceil(seconds), 'second'] : [Math.ceil(seconds / 60), 'minute']
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

/** The seconds after which a request can be tried again, rounded up and at least 1; undefined when its error names no time. */
export const retrySeconds = ({ retryAfterMs }: Pick<EepError, 'retryAfterMs'>): number | undefined =>
  retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(retryAfterMs / 1_000))
