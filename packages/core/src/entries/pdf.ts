/** Receipts as PDF, for hosts that have `pdfkit` and `dejavu-fonts-ttf` installed. */

export { receiptPdf } from '../adapters/receipt-pdf/receipt-pdf.ts'
