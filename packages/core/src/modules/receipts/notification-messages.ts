import { defineMessages } from '../../model/messages.ts'

/** The titles of notifications about sales. */
export const saleMessages = defineMessages('notice-sale', {
  en: {
    one: '{resource} was sold for {amount}',
    many: '{count} sales of {resource}',
  },
  de: {
    one: '{resource} wurde für {amount} verkauft',
    many: '{count} Verkäufe von {resource}',
  },
  ja: {
    one: '{resource} が {amount} で売れました',
    many: '{resource} の販売 {count} 件',
  },
  ar: {
    one: 'بيع {resource} مقابل {amount}',
    many: 'عدد مبيعات {resource}: {count}',
  },
})
