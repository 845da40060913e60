import { createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { sameText } from '../../../../kernel/digest.ts'
import type { BillingEvent } from '../../../../ports/billing-processor.ts'
import type { MessageHeaders } from '../../../../ports/payment-processor.ts'
import { invalidMessage } from '../../../../ports/payment-rail.ts'

/** A message of the play processor, as a webhook gets it. */
export interface PlanMessage {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

const SIGNATURE = 'sandbox-signature'
const MAX_AGE_MS = 300_000

/** Messages never leave the process, so their key is new at each start. */
const KEY = randomBytes(32)

const eventSchema = z.object({
  id: z.string(),
  type: z.string(),
  subscriptionId: z.string(),
  invoice: z.object({ id: z.string(), paid: z.boolean(), amountCents: z.int(), attempt: z.int() }).optional(),
})

const mac = (at: string, body: string) => createHmac('sha256', KEY).update(`${at}.${body}`).digest('base64url')

/** Writes and signs a message. */
export function writePlanMessage(event: BillingEvent, now: Date): PlanMessage {
  const body = JSON.stringify(event)
  const at = `${now.getTime()}`
  return { body, headers: { [SIGNATURE]: `${at}.${mac(at, body)}` } }
}

/**
 * Verifies and reads a message.
 *
 * @throws `invalid_message` when another process signed it, or this one more than five minutes ago
 */
export function readPlanMessage(bytes: Uint8Array, headers: MessageHeaders, now: Date): BillingEvent {
  const body = Buffer.from(bytes).toString()
  const [, at = '', signature = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(String(headers[SIGNATURE] ?? '')) ?? []
  if (!sameText(signature, mac(at, body)) || now.getTime() - Number(at) > MAX_AGE_MS) throw invalidMessage()
  return eventSchema.parse(JSON.parse(body))
}
