import { z } from 'zod'
import { sentence } from '../../../kernel/isolation.ts'
import { defineEmail } from '../../../runtime/email/define-email.ts'

/** Contains the link that recovers purchases. */
export const purchaseRecoveryEmail = defineEmail('purchase-recovery', {
  summary: 'a buyer requests access to purchases',
  data: z.object({ link: z.url(), seconds: z.int().min(1) }),
  texts: {
    en: ({ link, seconds }, { service, lasting }) => ({
      subject: sentence`What you bought at ${service}`,
      paragraphs: [
        sentence`To access your purchases with this email address at ${service}, open this link in the browser that you want to use:`,
        sentence`The link works once and expires in ${lasting(seconds)}.`,
        'If you did not ask for it, ignore this email and do not forward it: the link opens your purchases.',
      ],
      action: { link, label: 'Open my purchases' },
    }),
    de: ({ link, seconds }, { service, lasting }) => ({
      subject: sentence`Ihre Käufe bei ${service}`,
      paragraphs: [
        sentence`Öffnen Sie diesen Link in dem Browser, in dem Sie Ihre Käufe mit dieser E-Mail-Adresse bei ${service} nutzen möchten:`,
        sentence`Der Link funktioniert einmal. Gültigkeit: ${lasting(seconds)}.`,
        'Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail und leiten Sie sie nicht weiter: Der Link öffnet Ihre Käufe.',
      ],
      action: { link, label: 'Meine Käufe öffnen' },
    }),
    ja: ({ link, seconds }, { service, lasting }) => ({
      subject: sentence`${service} でのご購入`,
      paragraphs: [
        sentence`このメールアドレスで ${service} において購入したものを利用するには、使用するブラウザーで次のリンクを開いてください。`,
        sentence`リンクは一度だけ使えます。有効期間は ${lasting(seconds)}です。`,
        '心当たりがない場合は、このメールを無視し、転送しないでください。リンクを開くと購入したものを利用できます。',
      ],
      action: { link, label: '購入したものを開く' },
    }),
    ar: ({ link, seconds }, { service, lasting }) => ({
      subject: sentence`مشترياتك لدى ${service}`,
      paragraphs: [
        sentence`للوصول إلى مشترياتك بهذا العنوان لدى ${service}، افتح هذا الرابط في المتصفح الذي تريد استخدامه:`,
        sentence`يعمل الرابط مرة واحدة. مدة صلاحيته: ${lasting(seconds)}.`,
        'إن لم تطلبه، فتجاهل هذه الرسالة ولا تعد توجيهها: الرابط يفتح مشترياتك.',
      ],
      action: { link, label: 'فتح مشترياتي' },
    }),
  },
})
