import type { PageLanguage } from './messages.ts'

/** Formats a day in the language of a page. */
export const dayText = ({ language = 'en' }: PageLanguage, day: Date): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(day)

/** Formats a moment in the language of a page, with its time in UTC. */
export const momentText = ({ language = 'en' }: PageLanguage, moment: Date): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' }).format(moment)
