// Draws receipts outside of the event loop: laying out one page and embedding its fonts takes up to half a second.
import { buffer } from 'node:stream/consumers'
import { answerJobs } from '../../kernel/answer-jobs.ts'
import type { BuyerReceiptFacts, ReceiptIssuer } from '../../ports/receipt-renderer.ts'
import type { ReceiptWithRefund } from '../../ports/storage/payments.ts'
import { drawReceipt } from './draw-receipt.ts'

export interface PdfJob {
  readonly receipt: ReceiptWithRefund
  readonly issuer: ReceiptIssuer
  readonly buyer: BuyerReceiptFacts | undefined
}

answerJobs(async ({ receipt, issuer, buyer }: PdfJob) => {
  const drawn = drawReceipt(receipt, issuer, buyer) as NodeJS.ReadableStream & AsyncIterable<Buffer>
  return new Uint8Array(await buffer(drawn))
})
