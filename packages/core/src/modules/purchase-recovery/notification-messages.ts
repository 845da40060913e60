import { defineMessages } from '../../model/messages.ts'

/** The titles of notifications about purchases. */
export const purchaseNoticeMessages = defineMessages('notice-purchase', {
  en: {
    bought: 'You bought {item} for {amount}',
  },
  de: {
    bought: 'Sie haben {item} für {amount} gekauft',
  },
  ja: {
    bought: '{item} を {amount} で購入しました',
  },
  ar: {
    bought: 'اشتريت {item} مقابل {amount}',
  },
})
