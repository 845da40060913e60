/** Receipts as PDF, for hosts that have `pdfkit` and `dejavu-fonts-ttf` installed. */

export { receiptPdf } from './defaults/receipt-pdf/receipt-pdf.ts'
