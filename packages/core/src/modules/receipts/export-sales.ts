import { allPages } from '../../kernel/all-pages.ts'
import { csvOf } from '../../kernel/csv.ts'
import { type ExportMember, jsonMember, type ProfileExporter } from '../../module/export-member.ts'
import type { ReceiptIssuer, ReceiptRenderer } from '../../ports/receipt-renderer.ts'
import type { ReceiptWithRefund } from '../../ports/storage/payments.ts'
import type { Readers } from '../../ports/storage/storage.ts'
import { serializeReceipt } from './receipt.ts'

const COLUMNS = ['id', 'resource_pattern', 'payer', 'payer_network', 'tier', 'receipt_id', 'valid_until', 'created_at']

/** The sales of a profile as receipts, and the entitlements that it has granted. */
export function createSalesExporter(
  read: Readers,
  renderer: ReceiptRenderer | undefined,
  issuer: ReceiptIssuer,
): ProfileExporter {
  const { sales, grants } = read

  /** A receipt as PDF; empty when the renderer stays busy. */
  const pdfOf = (receipt: ReceiptWithRefund, pdf: ReceiptRenderer, accountId: string): ExportMember => ({
    path: `receipts/${receipt.receiptId}.pdf`,
    kind: 'bytes',
    modifiedAt: receipt.issuedAt,
    async *open() {
      const bytes = await pdf.render(receipt, issuer, accountId)
      if (!bytes) throw new Error('The renderer of receipts is busy')
      yield bytes
    },
  })

  return async function* ({ profile: { id: profileId }, accountId }) {
    if (sales) {
      for await (const receipt of allPages((request) => sales.list({ profileId }, request))) {
        yield jsonMember(`receipts/${receipt.receiptId}.json`, serializeReceipt(receipt), receipt.issuedAt)
        if (renderer) yield pdfOf(receipt, renderer, accountId)
      }
    }
    if (!grants) return
    yield {
      path: 'entitlements.csv',
      kind: 'text',
      async *open() {
        yield csvOf([COLUMNS])
        for await (const one of allPages((request) => grants.list({ profileId }, request))) {
          const { id, resourcePattern, payerWalletAddress, payerNetwork, tier, receiptId, validUntil, createdAt } = one
          const times = [validUntil?.toISOString() ?? '', createdAt.toISOString()]
          yield csvOf([[id, resourcePattern, payerWalletAddress, payerNetwork, tier, receiptId ?? '', ...times]])
        }
      },
    }
  }
}
