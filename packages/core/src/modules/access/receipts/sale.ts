import { z } from 'zod'
import type { SaleRecord } from '../../../ports/storage/payments.ts'
import { customerSchema, type SellerCustomer, serializeCustomer } from './customer.ts'
import { serializeReceipt } from './receipt.ts'
import { receiptSchema } from './schemas.ts'

/** A sale as its seller sees it. */
export type Sale = Omit<SaleRecord, 'customer'> & { readonly customer: SellerCustomer }

/** A sale on the wire. */
export const saleSchema = receiptSchema
  .extend({
    title: z.string().nullable().meta({ description: 'The thing sold, as its buyer was shown it' }),
    buyer_email: z.string().nullable().meta({ description: 'Null unless the buyer shared it with this seller' }),
    customer: customerSchema,
    undelivered: z
      .boolean()
      .meta({ description: 'Whether it paid for a request that was not answered as sold, and is compensated' }),
  })
  .meta({ id: 'Sale' })

/** A sale as it appears on the wire: a receipt, with what was sold and to whom. The signature does not cover these names. */
export const serializeSale = ({ title, toldEmail, customer, undelivered, ...receipt }: Sale) => ({
  ...serializeReceipt(receipt),
  title,
  buyer_email: toldEmail,
  customer: serializeCustomer(customer),
  undelivered,
})
