import { defineMessages } from '../../../model/messages.ts'

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

/** The titles of notifications about disputes. */
export const disputeMessages = defineMessages('notice-dispute', {
  en: {
    opened: 'A buyer disputes the payment of {amount} for {item}',
    won: 'The dispute about {amount} for {item} was won',
    lost: 'The dispute about {amount} for {item} was lost',
    reference: 'Dispute {reference}, receipt {receiptId}. The access of the buyer is unchanged.',
  },
  de: {
    opened: 'Ein Käufer hat der Zahlung von {amount} für {item} widersprochen',
    won: 'Der Zahlungseinspruch über {amount} für {item} wurde gewonnen',
    lost: 'Der Zahlungseinspruch über {amount} für {item} wurde verloren',
    reference: 'Einspruch {reference}, Beleg {receiptId}. Der Zugang des Käufers ist unverändert.',
  },
  ja: {
    opened: '{item} の支払い {amount} に購入者が異議を申し立てました',
    won: '{item} の支払い {amount} への異議申し立ては退けられました',
    lost: '{item} の支払い {amount} への異議申し立てが認められました',
    reference: '異議申し立て {reference}、領収書 {receiptId}。購入者のアクセス権は変わりません。',
  },
  ar: {
    opened: 'اعترض مشترٍ على دفع {amount} مقابل {item}',
    won: 'كُسب الاعتراض على دفع {amount} مقابل {item}',
    lost: 'خُسر الاعتراض على دفع {amount} مقابل {item}',
    reference: 'الاعتراض {reference}، الإيصال {receiptId}. لم يتغير وصول المشتري.',
  },
})
