import { setTimeout as sleep } from 'node:timers/promises'
import {
  bytesMember,
  type ExportMember,
  type ExportSubject,
  jsonMember,
  type ProfileExporter,
} from '../../../framework/module/export-member.ts'
import { allPages } from '../../../kernel/all-pages.ts'
import { csvOf } from '../../../kernel/csv.ts'
import type { ReceiptIssuer, ReceiptRenderer } from '../../../ports/receipt-renderer.ts'
import type { ReceiptWithRefund } from '../../../ports/storage/payments.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { serializeReceipt } from './receipt.ts'

/** Receipts whose PDF is not ready within about ten seconds are exported as JSON only. */
const PDF_ATTEMPTS = 5
const PDF_RETRY_MS = 2_000

const COLUMNS = ['id', 'resource_pattern', 'payer', 'payer_network', 'tier', 'receipt_id', 'valid_until', 'created_at']

/** The sales of a profile as receipts, and the entitlements that it has granted. */
export function createSalesExporter(
  read: Readers,
  renderer: ReceiptRenderer | undefined,
  issuer: ReceiptIssuer,
): ProfileExporter {
  const { sales, grants } = read

  /** Returns a receipt as PDF, or undefined if the renderer is still busy after the last attempt. */
  async function pdfOf(
    receipt: ReceiptWithRefund,
    pdf: ReceiptRenderer,
    { accountId, signal }: Pick<ExportSubject, 'accountId' | 'signal'>,
  ): Promise<ExportMember | undefined> {
    for (let attempt = 0; attempt < PDF_ATTEMPTS; attempt++) {
      const bytes = await pdf.render(receipt, issuer, accountId)
      if (bytes) return bytesMember(`receipts/${receipt.receiptId}.pdf`, bytes, receipt.issuedAt)
      await sleep(PDF_RETRY_MS, undefined, { signal })
    }
    return undefined
  }

  return async function* ({ profile: { id: profileId }, accountId, signal }) {
    if (sales) {
      for await (const receipt of allPages((request) => sales.list({ profileId }, request))) {
        yield jsonMember(`receipts/${receipt.receiptId}.json`, serializeReceipt(receipt), receipt.issuedAt)
        const pdf = renderer && (await pdfOf(receipt, renderer, { accountId, signal }))
        if (pdf) yield pdf
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
