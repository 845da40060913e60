import { defineMessages, type PageLanguage } from './messages.ts'
import { moneyText } from './money-text.ts'
import type { Per } from './per.ts'

/** The terms of payments in words. */
const termMessages = defineMessages<Per>('term', {
  en: {
    request: 'to read it once',
    hour: 'for one hour',
    day: 'for one day',
    week: 'for one week',
    month: 'for one month',
    year: 'for one year',
    once: 'as a one-time payment',
  },
  de: {
    request: 'für einmaliges Lesen',
    hour: 'für eine Stunde',
    day: 'für einen Tag',
    week: 'für eine Woche',
    month: 'für einen Monat',
    year: 'für ein Jahr',
    once: 'als einmalige Zahlung',
  },
  ja: {
    request: '1回の閲覧',
    hour: '1時間',
    day: '1日間',
    week: '1週間',
    month: '1か月間',
    year: '1年間',
    once: '1回払い',
  },
  ar: {
    request: 'لقراءة واحدة',
    hour: 'لمدة ساعة',
    day: 'لمدة يوم',
    week: 'لمدة أسبوع',
    month: 'لمدة شهر',
    year: 'لمدة سنة',
    once: 'دفعة واحدة',
  },
})

/** Writes the term of a payment in the language of a page: `for one month`. */
export const termText = (page: PageLanguage, per: Per): string => termMessages(page)(per)

/** Writes a price in the language of a page: `$2.50 for one month`. */
export const offerText = (
  page: PageLanguage,
  { amount, currency, per }: { readonly amount: string; readonly currency: string; readonly per: Per },
): string => `${moneyText(page, amount, currency)} ${termText(page, per)}`
