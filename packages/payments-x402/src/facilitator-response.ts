import type { Purchase } from '@eep/core/ports'
import type { Facilitator, PaymentPayload, PaymentRequirements } from './facilitator.ts'
import type { AcceptedAsset } from './offer.ts'
import { requirementsOf } from './offer.ts'
import type { Checkpoint, Proof } from './proof.ts'
import { asReason, reasons } from './reasons.ts'
import { normalSignature } from './signature.ts'

/** The response of a facilitator to a settlement. It proves nothing by itself. */
export type FacilitatorResponse =
  | { readonly said: 'settled'; readonly transaction: string }
  | {
      readonly said: 'failed'
      readonly reason: string
      /** Its message, for logs. */
      readonly words: string
      readonly transaction?: string | undefined
    }
  /** It sent no response, or an invalid one. */
  | { readonly said: 'nothing'; readonly transaction?: undefined; readonly cause?: unknown }

/** The signature in the form that the token accepts. */
export const signatureOf = ({ signature }: Proof, { contract }: Checkpoint): string =>
  contract ? signature : normalSignature(signature)

/** What the catalogue of a facilitator gets of a purchase: the resource and how it is requested, or nothing. */
function listingOf({ shown, listing }: Pick<Purchase, 'shown' | 'listing'>): Partial<PaymentPayload> {
  if (!listing?.bazaar) return {}
  const { bazaar, ...info } = listing
  return { resource: { ...shown, ...info }, extensions: { bazaar } }
}

/**
 * Builds the request to a facilitator with the requirements of this rail and the resource of the purchase. What the payment states of
 * them is not signed, so a payer could rename the seller in the catalogue of a facilitator.
 */
export function facilitatorRequest(
  accepted: AcceptedAsset,
  purchase: Pick<Purchase, 'shown' | 'listing' | 'charge'>,
  proof: Proof,
  checkpoint: Checkpoint,
): [PaymentPayload, PaymentRequirements] {
  const { authorization } = proof
  const requirements = requirementsOf(accepted, { amount: authorization.value, payTo: authorization.to }, purchase)
  const payload = { authorization, signature: signatureOf(proof, checkpoint) }
  return [{ x402Version: 2, accepted: requirements, payload, ...listingOf(purchase) }, requirements]
}

/** Returns the reason code of a refusal, or undefined when the facilitator would accept the payment. */
export async function askVerify(
  facilitator: Facilitator,
  request: [PaymentPayload, PaymentRequirements],
): Promise<string | undefined> {
  const { isValid, invalidReason } = await facilitator.verify(...request).catch((error: unknown) => {
    // The official client throws for a refusal with a status other than 200.
    if (isRecord(error) && 'invalidReason' in error) return { isValid: false, invalidReason: error.invalidReason }
    throw error
  })
  return isValid === true ? undefined : asReason(invalidReason, reasons.simulation)
}

/** Submits the payment to the chain through the facilitator. Never rejects. */
export async function askSettle(
  facilitator: Facilitator,
  request: [PaymentPayload, PaymentRequirements],
  timeoutMs: number,
): Promise<FacilitatorResponse> {
  try {
    return readAnswer(await within(timeoutMs, facilitator.settle(...request)))
  } catch (error) {
    return isRecord(error) && 'errorReason' in error
      ? readAnswer({ ...error, success: false })
      : { said: 'nothing', cause: error }
  }
}

function readAnswer(answer: unknown): FacilitatorResponse {
  if (!isRecord(answer)) return { said: 'nothing' }
  const { success, errorReason, errorMessage } = answer
  const transaction = isHash(answer.transaction) ? answer.transaction : undefined
  if (success === true && transaction !== undefined) return { said: 'settled', transaction }
  if (success === false) {
    const reason = asReason(errorReason, 'unexpected_settle_error')
    const words = [errorReason, errorMessage].filter((one) => typeof one === 'string' && one !== '').join(': ')
    return { said: 'failed', reason, words, transaction }
  }
  return { said: 'nothing' }
}

const isHash = (value: unknown): value is string => typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`x402: the facilitator did not respond within ${timeoutMs} ms`)),
      timeoutMs,
    )
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Describes the response of a facilitator about an unfinished payment, for logs. */
export function causeOf(word: FacilitatorResponse): Error {
  if (word.said === 'failed') return new Error(`x402: the facilitator reported an error: ${word.words || word.reason}`)
  if (word.said === 'settled')
    return new Error(`x402: ${word.transaction} does not contain the payment that it should settle`)
  return word.cause instanceof Error
    ? word.cause
    : new Error('x402: the facilitator responded to settle without a result')
}
