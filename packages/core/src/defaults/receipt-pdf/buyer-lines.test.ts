import { expect, it } from 'vitest'
import { newReceipt } from '../../testing/records.ts'
import { buyerLines } from './buyer-lines.ts'

const receipt = { ...newReceipt({ payerDid: 'did:web:agents.example:me' }), refund: null, refundClaim: null }
const facts = { seller: 'Ada Lovelace', item: 'Notes on engines', openUntil: new Date('2027-01-31T23:00:00Z') }

it('says number, date, amount, seller, item and end of a purchase, and nothing else', () => {
  const day = receipt.timeline.paidAt.toISOString().slice(0, 10)
  expect(buyerLines(receipt, facts)).toEqual([
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
  expect(JSON.stringify(buyerLines(receipt, facts))).not.toMatch(/did:|commission|2\.50|wallet|tax|VAT/i)
})

it('says when a purchase is permanent, or was delivered once', () => {
  const endOf = (openUntil: Date | null | undefined) => buyerLines(receipt, { ...facts, openUntil })[1][1][1]
  expect(endOf(null)).toEqual(['Open until', 'Permanent'])
  expect(endOf(undefined)).toEqual(['Open until', 'Delivered once'])
})

it('says when the payment was given back', () => {
  const refund = {
    receiptId: receipt.receiptId,
    reference: 're_1',
    reason: 'private',
    refundedAt: new Date('2026-06-01T00:00:00Z'),
    refundedBy: null,
  }
  const lines = JSON.stringify(buyerLines({ ...receipt, refund }, facts))
  expect(lines).toContain('2026-06-01 (UTC)')
  expect(lines).not.toMatch(/re_1|private/)
})
