import { sha256 } from '../../kernel/digest.ts'
import { createWorkerQueue } from '../../kernel/worker-queue.ts'
import type { ReceiptWithRefund } from '../../ports/storage/payments.ts'
import { receiptPdfBusy } from './errors.ts'
import type { Issuer } from './receipt-pdf.ts'
import type { PdfJob } from './receipt-pdf-worker.ts'

const FILE = new URL(
  import.meta.url.endsWith('.ts') ? './receipt-pdf-worker.ts' : './receipt-pdf-worker.js',
  import.meta.url,
)

/** Draws receipts in a worker thread and caches up to 4 MB of them. */
export function createReceiptPdfs(issuer: Issuer) {
  const run = createWorkerQueue<PdfJob>({
    file: FILE,
    maxMemoryMb: 256,
    timeoutMs: 10_000,
    maxPending: 40,
    maxPendingPerOwner: 10,
    maxWaitMs: 20_000,
    maxCachedBytes: 4_194_304,
  })

  /**
   * Returns a receipt as PDF, drawn in a worker thread. The same receipt gives the same bytes.
   *
   * @param owner - who asks, for the limit of pending requests
   * @throws `receipt_pdf_busy` when forty receipts are pending, ten of them for this owner
   */
  return async function pdfOf(receipt: ReceiptWithRefund, owner: string): Promise<Uint8Array> {
    const bytes = await run({ key: sha256(JSON.stringify(receipt)), owner, job: { receipt, issuer } })
    if (bytes === undefined) throw receiptPdfBusy({ headers: { 'retry-after': '5' } })
    return bytes
  }
}
