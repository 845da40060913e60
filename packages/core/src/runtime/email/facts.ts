import type { Language } from '../../model/languages.ts'
import type { EmailFacts } from './define-email.ts'

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** A duration in words, in the largest unit that divides it. Digits are the same in every language. */
function lasting(language: Language, seconds: number): string {
  const [unit, length] = UNITS.find(([, length]) => seconds >= length && seconds % length === 0) ?? UNITS[3]
  const format = { style: 'unit', unit, unitDisplay: 'long', useGrouping: false } as const
  return new Intl.NumberFormat(`${language}-u-nu-latn`, format).format(seconds / length)
}

/** What texts in a language may use. */
export const emailFacts = (language: Language, service: string): EmailFacts => ({
  language,
  service,
  lasting: (seconds) => lasting(language, seconds),
  day: (date) => date.toISOString().slice(0, 10),
})
