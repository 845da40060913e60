import { expect, it } from 'vitest'
import { receiptTexts } from '../../model/receipt-texts.ts'
import type { BuyerReceiptFacts } from '../../ports/receipt-renderer.ts'
import { newReceipt } from '../../testing/records.ts'
import { buyerLines } from './buyer-lines.ts'

const receipt = { ...newReceipt({ payerDid: 'did:web:agents.example:me' }), refund: null, refundClaim: null }
const facts = {
  seller: 'Ada Lovelace',
  item: 'Notes on engines',
  openUntil: new Date('2027-01-31T23:00:00Z'),
  language: 'en',
  texts: receiptTexts({}),
}

it('contains number, date, amount, seller, item and end of a purchase, and nothing else', () => {
  const day = receipt.timeline.paidAt.toISOString().slice(0, 10)
  expect(buyerLines(receipt, facts, facts.texts)).toEqual([
    [
      'Payment',
      [
        ['Receipt number', receipt.receiptId],
        ['Date', `${day} (UTC)`],
        ['Amount paid', '0.01 USD'],
        ['Seller', 'Ada Lovelace'],
      ],
    ],
    [
      'Bought',
      [
        ['Item', 'Notes on engines'],
        ['Open until', '2027-01-31 (UTC)'],
      ],
    ],
  ])
})

it('shows no commission, DID, wallet or tax', () => {
  expect(JSON.stringify(buyerLines(receipt, facts, facts.texts))).not.toMatch(/did:|commission|2\.50|wallet|tax|VAT/i)
})

it('states that a purchase is permanent, or was delivered once', () => {
  const endOf = (openUntil: BuyerReceiptFacts['openUntil']) =>
    buyerLines(receipt, { ...facts, openUntil }, facts.texts)[1][1][1]
  expect(endOf('permanent')).toEqual(['Open until', 'Permanent'])
  expect(endOf('once')).toEqual(['Open until', 'Delivered once'])
})

it('states no end for a plan', () => {
  const [, bought] = buyerLines(receipt, { ...facts, openUntil: undefined }, facts.texts)
  expect(bought).toEqual(['Bought', [['Item', 'Notes on engines']]])
})

it('states in the language of the reader that the seller no longer exists', () => {
  const texts = receiptTexts({ language: 'de' })
  const [, [, , , seller]] = buyerLines(receipt, { ...facts, seller: null }, texts)[0]
  expect(seller).toEqual(['Verkauft von', 'Nicht mehr bei diesem Dienst'])
})

it('states when the payment was refunded', () => {
  const refund = {
    receiptId: receipt.receiptId,
    reference: 're_1',
    reason: 'private',
    refundedAt: new Date('2026-06-01T00:00:00Z'),
    refundedBy: null,
  }
  const lines = JSON.stringify(buyerLines({ ...receipt, refund }, facts, facts.texts))
  expect(lines).toContain('2026-06-01 (UTC)')
  expect(lines).not.toMatch(/re_1|private/)
})

it('names the event of a ticket, and when it starts', () => {
  const event = { name: 'Night of the Gale', at: '2026-12-26 19:00 (Europe/Copenhagen)' }
  const [, [, lines]] = buyerLines(receipt, { ...facts, event }, facts.texts)
  expect(lines.slice(1, 3)).toEqual([
    ['Event', 'Night of the Gale'],
    ['Starts', '2026-12-26 19:00 (Europe/Copenhagen)'],
  ])
})
