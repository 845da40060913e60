import { defineMessages } from '../../../model/messages.ts'

/** The titles of notifications about purchases. */
export const purchaseNoticeMessages = defineMessages('notice-purchase', {
  en: {
    bought: 'You bought {item} for {amount}',
    refunded: 'You were refunded {amount} for {item}',
  },
  de: {
    bought: 'Sie haben {item} für {amount} gekauft',
    refunded: 'Ihnen wurden {amount} für {item} erstattet',
  },
  ja: {
    bought: '{item} を {amount} で購入しました',
    refunded: '{item} の {amount} が返金されました',
  },
  ar: {
    bought: 'اشتريت {item} مقابل {amount}',
    refunded: 'أُعيد إليك {amount} مقابل {item}',
  },
})
