import type { PageLanguage } from '../../model/messages.ts'

/** Returns a time in words, in minutes from two minutes on, rounded up: "42 seconds". */
export function waitText({ language = 'en' }: PageLanguage, seconds: number): string {
  const [value, unit] = seconds < 120 ? [Math.ceil(seconds), 'second'] : [Math.ceil(seconds / 60), 'minute']
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

/** The seconds of an error's `Retry-After` header; undefined without one. */
export function retrySeconds(headers: Readonly<Record<string, unknown>>): number | undefined {
  const seconds = Number(headers['retry-after'] ?? headers['Retry-After'])
  return Number.isFinite(seconds) ? seconds : undefined
}
