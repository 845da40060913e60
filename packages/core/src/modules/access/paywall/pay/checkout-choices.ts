import { isRecord } from '../../../../model/field-values.ts'
import type { Payment } from '../../../../ports/storage/payments.ts'

/** Whether the buyer chose to share with the seller the email address that they enter on the page of the processor. */
export const tellsSeller = ({ checkpoint }: Pick<Payment, 'checkpoint'>): boolean =>
  isRecord(checkpoint) && checkpoint.tellsSeller === true
