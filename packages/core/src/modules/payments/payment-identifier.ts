import { sha256 } from '../../kernel/digest.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { normalWallet } from '../../kernel/wallet.ts'
import type { Stores } from '../../ports/storage.ts'
import { echoedExtensions } from './envelope.ts'
import { paymentIdentifierConflict } from './errors.ts'
import { Refusal } from './refusal.ts'
import type { NewPayment } from './store.ts'

/** The x402 extension by which a client names a payment, so that it is made once however often it is tried. */
export const PAYMENT_IDENTIFIER = 'payment-identifier'

/** What a challenge says of it. Clients that know it add their `id` to `info` and send it back. */
export const paymentIdentifierExtension: JsonObject = {
  info: { required: false },
  schema: {
    type: 'object',
    properties: { id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' } },
  },
}

const IDENTIFIER = /^[a-zA-Z0-9_-]{16,128}$/

/**
 * The name that a client gave its payment; undefined when it gave none.
 *
 * @throws Refusal when it is no name: a client that counts on it must not pay without
 */
export function paymentIdentifierIn(paymentSignature: string | undefined): string | undefined {
  const extension = echoedExtensions(paymentSignature)[PAYMENT_IDENTIFIER]
  const { info } = (extension ?? {}) as { info?: { id?: unknown } | null }
  const id = info?.id
  if (id === undefined || id === null) return undefined
  if (typeof id !== 'string' || !IDENTIFIER.test(id)) throw new Refusal('invalid_payment_identifier')
  return id
}

/** Names are remembered for longer than any payment of theirs can be tried again. */
const REMEMBERED_MS = 7 * 24 * 3_600_000

/**
 * Binds a name to the one payment it is for, in the transaction that claims it. Names of different payers do not meet.
 *
 * @throws `payment_identifier_conflict` when it stands for another payment
 */
export async function bindIdentifier(
  tx: Pick<Stores, 'nonces'>,
  id: string,
  { rail, payer, credentialId, fingerprint, createdAt }: NewPayment,
): Promise<void> {
  const payload = sha256(`${rail}|${credentialId}|${fingerprint}`, 'base64url')
  const scope = `payment:${sha256(`${rail}|${payer.network}|${normalWallet(payer.wallet ?? '')}`, 'base64url')}`
  const expiresAt = new Date(createdAt.getTime() + REMEMBERED_MS)
  const isFirst = await tx.nonces.claim({ scope, nonce: id, expiresAt })
  // Of all payloads only the first could take the name; it left its mark, and finds it when it comes again.
  const isUnmarked = await tx.nonces.claim({ scope: `${scope}:${id}`, nonce: payload, expiresAt })
  if (!isFirst && isUnmarked) throw paymentIdentifierConflict()
}
