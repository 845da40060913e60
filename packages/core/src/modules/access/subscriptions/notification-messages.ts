import { defineMessages } from '../../../model/messages.ts'

/** The titles of notifications about plans. */
export const planNoticeMessages = defineMessages('notice-plan', {
  en: {
    changed: 'Your plan is now {plan}',
    failed: 'A payment for your plan failed',
    failedNext: 'The charge is tried again. Check your payment method, so that your plan does not end.',
    trialStarted: 'Your trial of {plan} has started',
    trialUntil: 'The trial ends on {day}.',
    trialCharge:
      'If you do not cancel before then, the plan goes on and is charged. You can cancel at any time on the page of your plan.',
    trialEnding: 'Your trial of {plan} ends on {day}',
    cancelled: 'Your plan {plan} was cancelled',
    cancelledNow: 'It has ended. Nothing more is charged.',
    cancelledUntil: 'You can use it until {day}. Nothing more is charged.',
  },
  de: {
    changed: 'Ihr Tarif ist jetzt {plan}',
    failed: 'Eine Zahlung für Ihren Tarif ist fehlgeschlagen',
    failedNext: 'Die Abbuchung wird erneut versucht. Prüfen Sie Ihre Zahlungsmethode, damit Ihr Tarif nicht endet.',
    trialStarted: 'Ihr Probezeitraum für {plan} hat begonnen',
    trialUntil: 'Der Probezeitraum endet am {day}.',
    trialCharge:
      'Wenn Sie bis dahin nicht kündigen, läuft der Tarif weiter und wird berechnet. Sie können jederzeit auf der Seite Ihres Tarifs kündigen.',
    trialEnding: 'Ihr Probezeitraum für {plan} endet am {day}',
    cancelled: 'Ihr Tarif {plan} wurde gekündigt',
    cancelledNow: 'Er ist beendet. Es wird nichts mehr berechnet.',
    cancelledUntil: 'Sie können ihn bis zum {day} nutzen. Es wird nichts mehr berechnet.',
  },
  ja: {
    changed: 'プランが {plan} になりました',
    failed: 'プランの支払いに失敗しました',
    failedNext: '請求は再試行されます。プランが終了しないよう、お支払い方法をご確認ください。',
    trialStarted: '{plan} の無料トライアルが始まりました',
    trialUntil: 'トライアルは {day} に終了します。',
    trialCharge:
      'それまでに解約しない場合、プランは継続され、料金が請求されます。プランのページからいつでも解約できます。',
    trialEnding: '{plan} の無料トライアルは {day} に終了します',
    cancelled: '{plan} プランは解約されました',
    cancelledNow: 'プランは終了しました。今後の請求はありません。',
    cancelledUntil: '{day} まで利用できます。今後の請求はありません。',
  },
  ar: {
    changed: 'خطتك الآن هي {plan}',
    failed: 'فشلت دفعة من دفعات خطتك',
    failedNext: 'ستُعاد محاولة التحصيل. تحقّق من وسيلة الدفع كي لا تنتهي خطتك.',
    trialStarted: 'بدأت الفترة التجريبية لخطة {plan}',
    trialUntil: 'تنتهي الفترة التجريبية في {day}.',
    trialCharge: 'إن لم تُلغِ الاشتراك قبل ذلك، تستمر الخطة ويُحتسب سعرها. يمكنك الإلغاء في أي وقت من صفحة خطتك.',
    trialEnding: 'تنتهي الفترة التجريبية لخطة {plan} في {day}',
    cancelled: 'أُلغيت خطتك {plan}',
    cancelledNow: 'لقد انتهت، ولن يُحتسب أي مبلغ آخر.',
    cancelledUntil: 'يمكنك استخدامها حتى {day}، ولن يُحتسب أي مبلغ آخر.',
  },
})
