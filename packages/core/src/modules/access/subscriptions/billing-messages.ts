import type { Clock } from '../../../kernel/clock.ts'
import type { BillingEvent, BillingProcessor } from '../../../ports/billing-processor.ts'
import type { MessageHeaders } from '../../../ports/payment-processor.ts'
import type { Subscription } from '../../../ports/storage/subscriptions.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { BillingSync } from './billing-sync.ts'
import { billFailed, billPaid } from './events.ts'

export interface BillingMessageDeps extends Pick<GuardedStorage<'subscriptions'>, 'write'> {
  readonly clock: Clock
  readonly billing: BillingProcessor
  readonly sync: BillingSync
}

/** The result of a message. */
export interface Heard {
  /** False when it was not about an object of this service. */
  readonly handled: boolean
  /** True when the message was processed before. */
  readonly duplicate?: true
}

/** Emits one event when a bill is paid, and one for each failed attempt. */
const noteOf = ({ id, paid, attempt }: NonNullable<BillingEvent['invoice']>) =>
  paid ? `${id}/paid` : `${id}/failed/${attempt}`

/**
 * Processes webhook messages. A message only names what to read again from the processor, so processing it twice or partially is
 * harmless. After any error the processor must send it again.
 */
export function createBillingMessages({ write, clock, billing, sync }: BillingMessageDeps) {
  const finish = ({ id, invoice }: BillingEvent, subscription: Subscription | undefined) =>
    write(async (tx, emit) => {
      const at = clock()
      if (subscription && invoice && invoice.amountCents > 0) {
        if (await tx.subscriptions.endMessage(billing.id, noteOf(invoice), at)) {
          const { id: subscriptionId, accountId, processor, currency } = subscription
          emit(
            invoice.paid ? billPaid : billFailed,
            {
              accountId,
              subscriptionId,
              processor,
              invoiceId: invoice.id,
              amountCents: invoice.amountCents,
              currency,
              attempt: invoice.attempt,
            },
            { accountId },
          )
        }
      }
      await tx.subscriptions.endMessage(billing.id, id, at)
    })

  return {
    /** @throws `invalid_message`; anything else when it has to be sent again */
    async hear(body: Uint8Array, headers: MessageHeaders): Promise<Heard> {
      const event = billing.readMessage(body, headers)
      if (!event) return { handled: false }
      const isNew = await write((tx) => tx.subscriptions.beginMessage(billing.id, event.id, clock()))
      if (!isNew) return { handled: true, duplicate: true }
      const subscription = await sync.sync(event.subscriptionId)
      await finish(event, subscription)
      return { handled: subscription !== undefined }
    },
  }
}
