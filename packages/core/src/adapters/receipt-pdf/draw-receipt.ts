import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import PdfDocument from 'pdfkit'
import { lazy } from '../../kernel/lazy.ts'
import { receiptTexts } from '../../model/receipt-texts.ts'
import { moneyKindOf } from '../../ports/money-kind.ts'
import type { BuyerReceiptFacts, ReceiptIssuer } from '../../ports/receipt-renderer.ts'
import type { ReceiptWithRefund } from '../../ports/storage/payments.ts'
import { buyerLines } from './buyer-lines.ts'

const require = createRequire(import.meta.url)
const fontOf = (file: string) => lazy(() => readFileSync(require.resolve(`dejavu-fonts-ttf/ttf/${file}`)))
const regular = fontOf('DejaVuSans.ttf')
const bold = fontOf('DejaVuSans-Bold.ttf')

const MARGIN = 56
const LABEL_WIDTH = 130
/** The height of the band in the color of the service, and the radius of its mark. */
const BAND = 6
const MARK = 6
const GREY = '#555555'

/** The font of a document, which the types of pdfkit omit, and its method that finds missing characters. */
interface WithFont {
  readonly _font: { readonly font: { hasGlyphForCodePoint(codePoint: number): boolean } }
}

const hasFont = (document: object): document is WithFont => '_font' in document

/** Replaces characters that the font lacks by their code points, so that none is lost silently. */
function drawable(text: string, document: object): string {
  if (!hasFont(document)) throw new TypeError('This version of pdfkit has another field for the font')
  const { font } = document._font
  return Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0
    return code >= 32 && font.hasGlyphForCodePoint(code) ? character : `[U+${code.toString(16).toUpperCase()}]`
  }).join('')
}

/** Scripts that the font has no characters for, or that are written from right to left, which pdfkit cannot lay out. */
const UNWRITABLE =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]|[\u3000-\u9fff\uff00-\uffef]/u

/** Whether the font has the language of a receipt. Otherwise the words are in English; names are written as they are. */
const canWrite = ({ texts }: BuyerReceiptFacts): boolean => !UNWRITABLE.test(Object.values(texts).join(''))

const time = (date: Date | null) =>
  date
    ? date
        .toISOString()
        .replace('T', ' ')
        .replace(/\.\d+Z$/, ' UTC')
    : '–'

/** What the times `Asked` and `Offered` are. */
const BASES = { challenge: 'the challenge', checkout: 'the checkout page', request: 'the paying request' } as const

const percent = (bps: number) => `${(bps / 100).toFixed(2)} %`

/** Groups of lines, each of a label and a value. */
type ReceiptLines = readonly (readonly [title: string, lines: readonly (readonly [string, string])[]])[]

/** The complete content of a receipt. */
function recordLines(receipt: ReceiptWithRefund): ReceiptLines {
  const { amount, seller, settlement, timeline, refund } = receipt
  return [
    [
      'Payment',
      [
        ['Amount', `${amount.decimal} ${amount.currency.toUpperCase()}`],
        ['Rail', receipt.rail],
        ['Network', settlement.network],
        ['Asset', amount.asset],
        ['Transaction', settlement.transaction ?? settlement.reference],
        ['Commission', percent(receipt.commissionBps)],
      ],
    ],
    [
      'Sold',
      [
        ['Resource', receipt.resource],
        ['Opens', receipt.resourcePattern],
        ['Tier', receipt.tier],
        ['For', receipt.per],
        ['Seller', seller.did],
      ],
    ],
    [
      'Payer',
      [
        ['Wallet', receipt.payerWalletAddress],
        ['Network', receipt.payerNetwork],
        ...(receipt.payerDid === null ? [] : [['Agent', receipt.payerDid] as const]),
        ...(receipt.payerAccountId === null ? [] : [['Account', receipt.payerAccountId] as const]),
      ],
    ],
    [
      'Timeline',
      [
        ['Asked', time(timeline.gateHitAt)],
        ['Offered', time(timeline.challengeIssuedAt)],
        ...(timeline.basis === null ? [] : [['Measured at', BASES[timeline.basis]] as const]),
        ['Paid', time(timeline.paidAt)],
        ['Settled', time(timeline.settledAt)],
        ['Issued', time(receipt.issuedAt)],
      ],
    ],
    ...(refund
      ? ([
          [
            'Given back',
            [
              ['When', time(refund.refundedAt)],
              ['Reference', refund.reference],
              ...(refund.reason === null ? [] : [['Reason', refund.reason] as const]),
            ],
          ],
        ] as const)
      : []),
  ]
}

/** Draws words across every page of a document with buffered pages. */
function watermark(document: PDFKit.PDFDocument, words: string): void {
  const { start, count } = document.bufferedPageRange()
  document.font('bold').fontSize(36).fillColor('#b3261e', 0.2)
  const indent = (document.page.width - document.widthOfString(words)) / 2
  for (let index = start; index < start + count; index += 1) {
    document.switchToPage(index)
    const middle = document.page.height / 2
    document.save().rotate(-45, { origin: [document.page.width / 2, middle] })
    document.text(words, indent, middle, { lineBreak: false }).restore()
  }
}

/**
 * A receipt as PDF, generated while it is read: for records, or with `buyer` for the person who paid. The same receipt gives the same bytes, at any time and on any machine.
 *
 * @returns a readable stream
 */
export function drawReceipt(
  receipt: ReceiptWithRefund,
  issuer: ReceiptIssuer,
  buyer?: BuyerReceiptFacts,
): NodeJS.ReadableStream {
  const { receiptId, issuedAt, refund } = receipt
  const changedAt = refund?.refundedAt ?? issuedAt
  const inEnglish = !buyer || !canWrite(buyer)
  const isSandbox = moneyKindOf(receipt.settlement.network) === 'sandbox'
  const document = new PdfDocument({
    size: 'A4',
    margin: MARGIN,
    ...(isSandbox && { bufferPages: true }),
    // pdfkit accepts bytes here, but its types do not.
    font: regular() as unknown as string,
    lang: inEnglish ? 'en' : buyer.language,
    info: {
      Title: `Receipt ${receiptId}`,
      Author: issuer.name,
      Creator: issuer.name,
      Producer: issuer.name,
      CreationDate: issuedAt,
      ModDate: changedAt,
    },
  })
  document.registerFont('regular', regular()).registerFont('bold', bold())
  const write = (text: string) => drawable(text, document)
  const texts = inEnglish ? receiptTexts({ language: 'en' }) : buyer.texts
  const width = document.page.width - 2 * MARGIN

  if (issuer.accent !== undefined) {
    document.rect(0, 0, document.page.width, BAND).fill(issuer.accent)
    document.circle(MARGIN + MARK, MARGIN + MARK, MARK).fill(issuer.accent)
  }
  document.font('bold').fontSize(11).fillColor('black')
  document.text(write(issuer.name), issuer.accent === undefined ? MARGIN : MARGIN + 3 * MARK, MARGIN)
  document.moveDown(1).font('bold').fontSize(20).text(write(texts.receipt), MARGIN)
  document.font('regular').fontSize(10).fillColor(GREY).text(write(issuer.publicUrl))
  document.moveDown(0.5).fillColor('black').fontSize(11).text(write(receiptId))

  for (const [title, lines] of buyer ? buyerLines(receipt, buyer, texts) : recordLines(receipt)) {
    document.moveDown(1).font('bold').fontSize(11).fillColor('black').text(write(title), MARGIN)
    document.moveDown(0.3).font('regular').fontSize(9)
    for (const [label, value] of lines) {
      const text = write(value)
      const height = document.heightOfString(text, { width: width - LABEL_WIDTH })
      if (document.y + height > document.page.height - MARGIN) document.addPage()
      const { y } = document
      document.fillColor(GREY).text(write(label), MARGIN, y, { width: LABEL_WIDTH })
      document.fillColor('black').text(text, MARGIN + LABEL_WIDTH, y, { width: width - LABEL_WIDTH })
      document.y = y + height + 3
    }
  }

  document.moveDown(1).fontSize(8).fillColor(GREY)
  if (buyer) {
    document.text(write(texts.taxes), MARGIN, document.y, { width })
  } else {
    const verify = `Verify the signature (JWS, EdDSA) with ${issuer.publicUrl}/.well-known/jwks.json`
    document.text(write(verify), MARGIN, document.y, { width })
    document.moveDown(0.3).fontSize(6).text(write(receipt.signature), { width })
  }
  if (isSandbox) watermark(document, write(texts.testMode))
  document.end()
  return document
}
