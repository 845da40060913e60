import { assertInstalled } from '../../kernel/assert-installed.ts'
import { sha256 } from '../../kernel/digest.ts'
import { createWorkerQueue } from '../../kernel/worker-queue.ts'
import type { ReceiptRenderer } from '../../ports/receipt-renderer.ts'
import type { PdfJob } from './receipt-pdf-worker.ts'

const FILE = new URL(
  import.meta.url.endsWith('.ts') ? './receipt-pdf-worker.ts' : './receipt-pdf-worker.js',
  import.meta.url,
)

/**
 * Renders receipts as PDF in a worker thread and caches up to 4 MB of them. At most forty receipts are pending, ten of them
 * for one owner.
 *
 * @throws MissingPackagesError when `pdfkit` or `dejavu-fonts-ttf` is not installed
 * @see https://github.com/eep-service/eep/blob/main/docs/concepts/payments.md
 * @example
 * payments: { rails, receiptPdf: receiptPdf() }
 */
export function receiptPdf(): ReceiptRenderer {
  // The worker loads the libraries. Fails at startup, not with the first receipt, when one is missing.
  assertInstalled('pdfkit', 'dejavu-fonts-ttf')

  const run = createWorkerQueue<PdfJob>({
    file: FILE,
    maxMemoryMb: 256,
    timeoutMs: 10_000,
    maxPending: 40,
    maxPendingPerOwner: 10,
    maxWaitMs: 20_000,
    maxCachedBytes: 4_194_304,
  })

  return {
    render: (receipt, issuer, owner, buyer) =>
      run({ key: sha256(JSON.stringify({ receipt, issuer, buyer })), owner, job: { receipt, issuer, buyer } }),
  }
}
