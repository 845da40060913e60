import { defineMessages } from '../../model/messages.ts'

/** The titles of notifications about sales. */
export const saleMessages = defineMessages('notice-sale', {
  en: {
    one: '{item} was sold for {amount}',
    oneTo: '{buyer} bought {item} for {amount}',
    many: '{count} sales of {item}',
  },
  de: {
    one: '{item} wurde für {amount} verkauft',
    oneTo: '{buyer} hat {item} für {amount} gekauft',
    many: '{count} Verkäufe von {item}',
  },
  ja: {
    one: '{item} が {amount} で売れました',
    oneTo: '{buyer} さんが {item} を {amount} で購入しました',
    many: '{item} の販売 {count} 件',
  },
  ar: {
    one: 'بيع {item} مقابل {amount}',
    oneTo: 'اشترى {buyer} {item} مقابل {amount}',
    many: 'عدد مبيعات {item}: {count}',
  },
})
