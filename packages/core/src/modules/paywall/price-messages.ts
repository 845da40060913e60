import { defineMessages, type PageLanguage } from '../../model/messages.ts'
import type { Per } from '../../ports/payment-rail.ts'

/** The terms of payments in words. */
const termMessages = defineMessages<Per>('term', {
  en: {
    request: 'to read it once',
    hour: 'for one hour',
    day: 'for one day',
    week: 'for one week',
    month: 'for one month',
    year: 'for one year',
    once: 'for good',
  },
  de: {
    request: 'für einmaliges Lesen',
    hour: 'für eine Stunde',
    day: 'für einen Tag',
    week: 'für eine Woche',
    month: 'für einen Monat',
    year: 'für ein Jahr',
    once: 'auf Dauer',
  },
  ja: {
    request: '1回の閲覧',
    hour: '1時間',
    day: '1日間',
    week: '1週間',
    month: '1か月間',
    year: '1年間',
    once: '無期限',
  },
  ar: {
    request: 'لقراءة واحدة',
    hour: 'لمدة ساعة',
    day: 'لمدة يوم',
    week: 'لمدة أسبوع',
    month: 'لمدة شهر',
    year: 'لمدة سنة',
    once: 'بلا نهاية',
  },
})

/** Writes the term of a payment in the language of a page: `for one month`. */
export const termText = (page: PageLanguage, per: Per): string => termMessages(page)(per)

const MAX_DECIMALS = 6

/** Writes an amount in the language of a page: `€5.00`, `0.25 USDC`. */
export function amountText({ language = 'en' }: PageLanguage, amount: string | number, currency: string): string {
  const value = Number(amount)
  const code = currency.toUpperCase()
  if (/^[A-Z]{3}$/.test(code)) {
    const style = { style: 'currency', currency: code } as const
    const { minimumFractionDigits } = new Intl.NumberFormat(language, style).resolvedOptions()
    const digits = { minimumFractionDigits, maximumFractionDigits: MAX_DECIMALS }
    return new Intl.NumberFormat(language, { ...style, ...digits }).format(value)
  }
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: MAX_DECIMALS }).format(value)} ${code}`
}
