import type { PageLanguage } from './messages.ts'

const ISO_CURRENCY = /^[A-Z]{3}$/

/** Formats an amount in the language of a page: `€2.50`. Currencies that are not of ISO 4217 follow the number. */
export function moneyText({ language = 'en' }: PageLanguage, amount: string | number, currency: string): string {
  const code = currency.toUpperCase()
  const decimals = String(amount).split('.')[1]?.length ?? 0
  const format = (options: Intl.NumberFormatOptions) => {
    const { maximumFractionDigits = 0 } = new Intl.NumberFormat(language, options).resolvedOptions()
    const digits = Math.min(20, Math.max(maximumFractionDigits, decimals))
    // A string is formatted exactly; a number has at most 17 significant digits.
    return new Intl.NumberFormat(language, { ...options, maximumFractionDigits: digits }).format(amount as number)
  }
  return ISO_CURRENCY.test(code) ? format({ style: 'currency', currency: code }) : `${format({})} ${code}`
}
