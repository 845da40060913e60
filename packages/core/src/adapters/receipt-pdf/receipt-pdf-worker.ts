// Draws receipts outside of the event loop: laying out one page and embedding its fonts takes up to half a second.
import { buffer } from 'node:stream/consumers'
import { parentPort } from 'node:worker_threads'
import type { BuyerReceiptFacts, ReceiptIssuer } from '../../ports/receipt-renderer.ts'
import type { ReceiptWithRefund } from '../../ports/storage/payments.ts'
import { drawReceipt } from './draw-receipt.ts'

export interface PdfJob {
  readonly receipt: ReceiptWithRefund
  readonly issuer: ReceiptIssuer
  readonly buyer: BuyerReceiptFacts | undefined
}

parentPort?.on('message', ({ receipt, issuer, buyer }: PdfJob) => {
  buffer(drawReceipt(receipt, issuer, buyer) as NodeJS.ReadableStream & AsyncIterable<Buffer>).then(
    (pdf) => parentPort?.postMessage(new Uint8Array(pdf)),
    () => parentPort?.postMessage(undefined),
  )
})
