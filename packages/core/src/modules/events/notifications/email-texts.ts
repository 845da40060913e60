import { z } from 'zod'
import { sentence } from '../../../kernel/isolation.ts'
import { defineEmail } from '../../../runtime/email/define-email.ts'

/** One notification. Its sentences are those of its kind. */
export const notificationEmail = defineEmail('notification', {
  summary: 'a notification is sent immediately',
  data: z.object({
    /** The kind of the notification. */
    kind: z.string(),
    title: z.string(),
    body: z.array(z.string()),
    link: z.url().optional(),
    unsubscribe: z.url(),
  }),
  texts: {
    en: ({ title, body, link, unsubscribe }) => ({
      subject: title,
      paragraphs: [`${title}.`, ...body],
      action: link === undefined ? undefined : { link, label: 'Show' },
      endnotes: [{ text: 'To unsubscribe from emails of this kind, open', link: unsubscribe }],
    }),
    de: ({ title, body, link, unsubscribe }) => ({
      subject: title,
      paragraphs: [`${title}.`, ...body],
      action: link === undefined ? undefined : { link, label: 'Anzeigen' },
      endnotes: [{ text: 'Um E-Mails dieser Art abzubestellen, öffnen Sie', link: unsubscribe }],
    }),
    ja: ({ title, body, link, unsubscribe }) => ({
      subject: title,
      paragraphs: [`${title}.`, ...body],
      action: link === undefined ? undefined : { link, label: '表示する' },
      endnotes: [{ text: 'この種類のメールの配信を停止するには、次を開いてください', link: unsubscribe }],
    }),
    ar: ({ title, body, link, unsubscribe }) => ({
      subject: title,
      paragraphs: [`${title}.`, ...body],
      action: link === undefined ? undefined : { link, label: 'عرض' },
      endnotes: [{ text: 'لإلغاء الاشتراك في رسائل من هذا النوع، افتح', link: unsubscribe }],
    }),
  },
})

const item = z.object({ text: z.string(), link: z.url().optional() })

/** The notifications of a day. */
export const notificationDigestEmail = defineEmail('notification-digest', {
  summary: 'once a day',
  data: z.object({
    items: z.array(item),
    /** How many listed notifications it does not contain. */
    more: z.int().min(0),
    /** The page with all notifications. */
    listUrl: z.url(),
    /** How many notifications follow in the next email. */
    later: z.int().min(0),
    unsubscribe: z.url(),
  }),
  texts: {
    en: ({ items, more, listUrl, later, unsubscribe }, { service }) => ({
      subject: sentence`What happened at ${service}`,
      paragraphs: [
        'New since the last email:',
        ...(later > 0 ? [sentence`And ${later} more, in the next email.`] : []),
      ],
      items: [...items, ...(more > 0 ? [{ text: sentence`And ${more} more`, link: listUrl }] : [])],
      endnotes: [{ text: 'To unsubscribe from these daily emails, open', link: unsubscribe }],
    }),
    de: ({ items, more, listUrl, later, unsubscribe }, { service }) => ({
      subject: sentence`Was bei ${service} geschehen ist`,
      paragraphs: [
        'Neu seit der letzten E-Mail:',
        ...(later > 0 ? [sentence`Und ${later} weitere in der nächsten E-Mail.`] : []),
      ],
      items: [...items, ...(more > 0 ? [{ text: sentence`Und ${more} weitere`, link: listUrl }] : [])],
      endnotes: [{ text: 'Um diese täglichen E-Mails abzubestellen, öffnen Sie', link: unsubscribe }],
    }),
    ja: ({ items, more, listUrl, later, unsubscribe }, { service }) => ({
      subject: sentence`${service} のお知らせ`,
      paragraphs: [
        '前回のメール以降の新着です。',
        ...(later > 0 ? [sentence`ほかに ${later} 件を次のメールでお知らせします。`] : []),
      ],
      items: [...items, ...(more > 0 ? [{ text: sentence`ほか ${more} 件`, link: listUrl }] : [])],
      endnotes: [{ text: 'この毎日のメールの配信を停止するには、次を開いてください', link: unsubscribe }],
    }),
    ar: ({ items, more, listUrl, later, unsubscribe }, { service }) => ({
      subject: sentence`ما حدث لدى ${service}`,
      paragraphs: ['الجديد منذ الرسالة السابقة:', ...(later > 0 ? [sentence`و${later} أخرى في الرسالة التالية.`] : [])],
      items: [...items, ...(more > 0 ? [{ text: sentence`و${more} أخرى`, link: listUrl }] : [])],
      endnotes: [{ text: 'لإلغاء الاشتراك في هذه الرسائل اليومية، افتح', link: unsubscribe }],
    }),
  },
})
