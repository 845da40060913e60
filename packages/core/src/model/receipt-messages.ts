import { defineMessages, type PageLanguage } from './messages.ts'

/** The texts of receipts for people. */
const receiptMessages = defineMessages('receipt', {
  en: {
    receipt: 'Receipt',
    payment: 'Payment',
    number: 'Receipt number',
    date: 'Date',
    amount: 'Amount paid',
    seller: 'Seller',
    sellerGone: 'No longer on this service',
    bought: 'Bought',
    item: 'Item',
    openUntil: 'Open until',
    once: 'Delivered once',
    permanent: 'Permanent',
    givenBack: 'Given back',
    taxes:
      'This receipt confirms the payment. The amount is the total that was paid; taxes are not shown separately. Ask the seller for a tax invoice.',
  },
  de: {
    receipt: 'Beleg',
    payment: 'Zahlung',
    number: 'Belegnummer',
    date: 'Datum',
    amount: 'Bezahlter Betrag',
    seller: 'Verkauft von',
    sellerGone: 'Nicht mehr bei diesem Dienst',
    bought: 'Gekauft',
    item: 'Gegenstand',
    openUntil: 'Verfügbar bis',
    once: 'Einmal ausgeliefert',
    permanent: 'Unbegrenzt',
    givenBack: 'Zurückgezahlt',
    taxes:
      'Dieser Beleg bestätigt die Zahlung. Der Betrag ist die bezahlte Summe; Steuern sind nicht ausgewiesen. Eine Rechnung mit Steuern erhalten Sie bei der verkaufenden Seite.',
  },
  ja: {
    receipt: '領収書',
    payment: '支払い',
    number: '領収書番号',
    date: '日付',
    amount: '支払金額',
    seller: '販売者',
    sellerGone: 'このサービスには掲載されていません',
    bought: '購入内容',
    item: '品目',
    openUntil: '利用期限',
    once: '一回限り',
    permanent: '無期限',
    givenBack: '返金',
    taxes:
      'この領収書は支払いを証明します。金額は支払総額で、税額は別に表示されません。税務用の請求書は販売者にお求めください。',
  },
  ar: {
    receipt: 'إيصال',
    payment: 'الدفع',
    number: 'رقم الإيصال',
    date: 'التاريخ',
    amount: 'المبلغ المدفوع',
    seller: 'البائع',
    sellerGone: 'لم يعد على هذه الخدمة',
    bought: 'المشترى',
    item: 'السلعة',
    openUntil: 'متاح حتى',
    once: 'سُلّم مرة واحدة',
    permanent: 'بلا نهاية',
    givenBack: 'أُعيد المبلغ',
    taxes:
      'يؤكد هذا الإيصال الدفع. والمبلغ هو إجمالي المدفوع، ولا تُذكر الضرائب منفصلة. اطلب الفاتورة الضريبية من البائع.',
  },
})

/** The keys of the texts of receipts. */
const KEYS = [
  'receipt',
  'payment',
  'number',
  'date',
  'amount',
  'seller',
  'sellerGone',
  'bought',
  'item',
  'openUntil',
  'once',
  'permanent',
  'givenBack',
  'taxes',
] as const
export type ReceiptText = (typeof KEYS)[number]

/** The texts of a receipt in a language. */
export function receiptTexts(page: PageLanguage): Readonly<Record<ReceiptText, string>> {
  const say = receiptMessages(page)
  return Object.fromEntries(KEYS.map((key) => [key, say(key)])) as Record<ReceiptText, string>
}
