import { defineMessages } from '../../model/messages.ts'

/** The titles of notifications about plans. */
export const planNoticeMessages = defineMessages('notice-plan', {
  en: {
    changed: 'Your plan is now {plan}',
    failed: 'A payment for your plan failed',
  },
  de: {
    changed: 'Ihr Tarif ist jetzt {plan}',
    failed: 'Eine Zahlung für Ihren Tarif ist fehlgeschlagen',
  },
  ja: {
    changed: 'プランが {plan} になりました',
    failed: 'プランの支払いに失敗しました',
  },
  ar: {
    changed: 'خطتك الآن هي {plan}',
    failed: 'فشلت دفعة من دفعات خطتك',
  },
})
