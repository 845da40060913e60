import { z } from 'zod'
import { sentence } from '../../../kernel/isolation.ts'
import { defineEmail } from '../../../runtime/email/define-email.ts'

/** Announces the end of a prepaid year. */
export const subscriptionEndsEmail = defineEmail('subscription-ends', {
  summary: '30, 7 days and 1 day before a prepaid year ends',
  data: z.object({ tier: z.string(), endsAt: z.date(), link: z.url() }),
  texts: {
    en: ({ tier, endsAt, link }, { service, day }) => ({
      subject: sentence`Your year of ${tier} at ${service} ends on ${day(endsAt)}`,
      paragraphs: [
        sentence`Your prepaid ${tier} plan ends on ${day(endsAt)}. To continue without a gap, pay for the next year here; it begins when this one ends:`,
        'If you do nothing, your account returns to the free tier that day. Nothing is deleted: content above its limits stays readable, but you cannot add to it.',
      ],
      action: { link, label: 'Pay for the next year' },
    }),
    de: ({ tier, endsAt, link }, { service, day }) => ({
      subject: sentence`Ihr Jahr ${tier} bei ${service} endet am ${day(endsAt)}`,
      paragraphs: [
        sentence`Ihr vorausbezahlter Tarif ${tier} endet am ${day(endsAt)}. Bezahlen Sie hier das nächste Jahr, um ihn ohne Unterbrechung weiter zu nutzen; es beginnt, wenn dieses endet:`,
        'Wenn Sie nichts tun, wechselt Ihr Konto an diesem Tag in den kostenlosen Tarif. Nichts wird gelöscht: Inhalte über dessen Grenzen bleiben lesbar, aber Sie können nichts hinzufügen.',
      ],
      action: { link, label: 'Das nächste Jahr bezahlen' },
    }),
    ja: ({ tier, endsAt, link }, { service, day }) => ({
      subject: sentence`${service} の ${tier} は ${day(endsAt)} に終了します`,
      paragraphs: [
        sentence`前払いの ${tier} プランは ${day(endsAt)} に終了します。続けて利用するには、ここで次の 1 年分をお支払いください。現在の期間の終了後に始まります。`,
        '何もしない場合、アカウントはその日に無料プランに戻ります。何も削除されません。上限を超えるコンテンツは引き続き読めますが、追加はできません。',
      ],
      action: { link, label: '次の 1 年分を支払う' },
    }),
    ar: ({ tier, endsAt, link }, { service, day }) => ({
      subject: sentence`تنتهي سنة ${tier} لدى ${service} في ${day(endsAt)}`,
      paragraphs: [
        sentence`تنتهي خطة ${tier} المدفوعة مسبقًا في ${day(endsAt)}. للاستمرار دون انقطاع، ادفع هنا عن السنة التالية، وهي تبدأ عند انتهاء هذه:`,
        'إن لم تفعل شيئًا، يعود حسابك إلى الخطة المجانية في ذلك اليوم. لا يُحذف شيء: يبقى المحتوى الزائد عن حدودها مقروءًا، لكن لا يمكنك الإضافة إليه.',
      ],
      action: { link, label: 'الدفع عن السنة التالية' },
    }),
  },
})
