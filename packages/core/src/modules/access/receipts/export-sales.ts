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
import type { GrantRecord } from '../../../ports/storage/entitlements.ts'
import type { ReceiptWithRefund } from '../../../ports/storage/payments.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { serializeReceipt } from './receipt.ts'

/** Receipts whose PDF is not ready within about ten seconds are exported as JSON only. */
const PDF_ATTEMPTS = 5
const PDF_RETRY_MS = 2_000

const COLUMNS = [
  'id',
  'resource_pattern',
  'payer',
  'payer_network',
  'tier',
  'audience',
  'receipt_id',
  'reason',
  'starts_at',
  'valid_until',
  'suspended_at',
  'revoked_at',
  'created_at',
]

const moment = (at: Date | null) => at?.toISOString() ?? ''

const rowOf = (one: GrantRecord): readonly string[] => [
  one.id,
  one.resourcePattern,
  one.payerWalletAddress,
  one.payerNetwork,
  one.tier,
  one.audience ? JSON.stringify(one.audience) : '',
  one.receiptId ?? '',
  one.reason,
  moment(one.startsAt),
  moment(one.validUntil),
  moment(one.suspendedAt),
  moment(one.revokedAt),
  moment(one.createdAt),
]

/** The sales of a profile as receipts, and what it has granted. */
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
      for await (const receipt of allPages((request) => sales.list({ profileIds: [profileId] }, request))) {
        const { toldEmail } = receipt
        const told = toldEmail === null ? {} : { buyer_email: toldEmail }
        yield jsonMember(
          `receipts/${receipt.receiptId}.json`,
          { ...serializeReceipt(receipt), ...told },
          receipt.issuedAt,
        )
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
          yield csvOf([rowOf(one)])
        }
      },
    }
  }
}
