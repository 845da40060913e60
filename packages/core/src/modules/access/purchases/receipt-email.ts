import { z } from 'zod'
import { sentence } from '../../../kernel/isolation.ts'
import { moneyText } from '../../../model/money-text.ts'
import { defineEmail } from '../../../runtime/email/define-email.ts'

const data = z.object({
  receiptId: z.string(),
  /** The purchased item, in the words of its seller. */
  item: z.string(),
  /** Undefined when the seller is not shown. */
  seller: z.string().optional(),
  decimal: z.string(),
  currency: z.string(),
  paidAt: z.date(),
  /** When the access ends. Undefined for a plan, whose end depends on the plans before it. */
  openUntil: z.union([z.date(), z.literal('permanent')]).optional(),
  /** The page of the purchases, with the receipt as PDF. */
  link: z.url(),
  unsubscribe: z.url(),
})

/** The receipt of a purchase, for the account that bought it. */
export const receiptEmail = defineEmail('receipt', {
  summary: 'an account bought something while it was signed in',
  data,
  texts: {
    en: ({ receiptId, item, seller, decimal, currency, paidAt, openUntil, link, unsubscribe }, { service, day }) => ({
      subject: sentence`Your receipt from ${service}`,
      paragraphs: [sentence`Thank you for buying ${item}.`],
      action: { link, label: 'Show my purchases' },
      facts: [
        ['Bought', item],
        ...(seller === undefined ? [] : [['Seller', seller] as const]),
        ['Price', moneyText({ language: 'en' }, decimal, currency)],
        ['Paid on', day(paidAt)],
        ...(openUntil === undefined
          ? []
          : [['Open until', openUntil === 'permanent' ? 'permanently' : day(openUntil)] as const]),
        ['Receipt', receiptId],
      ],
      endnotes: [{ text: 'To unsubscribe from receipts by email, open', link: unsubscribe }],
    }),
    de: ({ receiptId, item, seller, decimal, currency, paidAt, openUntil, link, unsubscribe }, { service, day }) => ({
      subject: sentence`Ihr Beleg von ${service}`,
      paragraphs: [sentence`Vielen Dank für Ihren Kauf: ${item}.`],
      action: { link, label: 'Meine Käufe zeigen' },
      facts: [
        ['Gekauft', item],
        ...(seller === undefined ? [] : [['Verkauft von', seller] as const]),
        ['Preis', moneyText({ language: 'de' }, decimal, currency)],
        ['Bezahlt am', day(paidAt)],
        ...(openUntil === undefined
          ? []
          : [['Verfügbar bis', openUntil === 'permanent' ? 'unbegrenzt' : day(openUntil)] as const]),
        ['Beleg', receiptId],
      ],
      endnotes: [{ text: 'Um Belege per E-Mail abzubestellen, öffnen Sie', link: unsubscribe }],
    }),
    ja: ({ receiptId, item, seller, decimal, currency, paidAt, openUntil, link, unsubscribe }, { service, day }) => ({
      subject: sentence`${service} の領収書`,
      paragraphs: [sentence`ご購入ありがとうございます：${item}`],
      action: { link, label: '購入履歴を表示' },
      facts: [
        ['購入したもの', item],
        ...(seller === undefined ? [] : [['販売者', seller] as const]),
        ['価格', moneyText({ language: 'ja' }, decimal, currency)],
        ['支払日', day(paidAt)],
        ...(openUntil === undefined
          ? []
          : [['利用期限', openUntil === 'permanent' ? '無期限' : day(openUntil)] as const]),
        ['領収書番号', receiptId],
      ],
      endnotes: [{ text: 'メールでの領収書の配信を停止するには、次を開いてください', link: unsubscribe }],
    }),
    ar: ({ receiptId, item, seller, decimal, currency, paidAt, openUntil, link, unsubscribe }, { service, day }) => ({
      subject: sentence`إيصالك من ${service}`,
      paragraphs: [sentence`شكرًا لشرائك: ${item}.`],
      action: { link, label: 'عرض مشترياتي' },
      facts: [
        ['المشترى', item],
        ...(seller === undefined ? [] : [['البائع', seller] as const]),
        ['السعر', moneyText({ language: 'ar' }, decimal, currency)],
        ['تاريخ الدفع', day(paidAt)],
        ...(openUntil === undefined
          ? []
          : [['متاح حتى', openUntil === 'permanent' ? 'بلا نهاية' : day(openUntil)] as const]),
        ['رقم الإيصال', receiptId],
      ],
      endnotes: [{ text: 'لإلغاء الاشتراك في الإيصالات بالبريد الإلكتروني، افتح', link: unsubscribe }],
    }),
  },
})
