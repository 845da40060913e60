import type { Credential, Purchase } from '@eep/core/ports'
import { defineError, paymentRefused } from '@eep/core/ports'
import type { Chain } from './chain.ts'
import type { Facilitator } from './facilitator.ts'
import { askVerify, facilitatorRequest } from './facilitator-response.ts'
import type { AcceptedAsset } from './offer.ts'
import { isForAsset, termsOf, validityOf } from './offer.ts'
import type { Checkpoint, Proof } from './proof.ts'
import { reasons } from './reasons.ts'
import { redactError } from './redact-error.ts'
import { digestOf, isForUndeployedWallet, isSignedByKey } from './signature.ts'

/** The chain or facilitator was unreachable before anything was sent: 503, and the same request can be repeated. */
export const paymentUncheckable = defineError(
  'payment_uncheckable',
  503,
  'The payment cannot be verified at the moment, and nothing was charged; repeat the same request',
)

export interface Verifier {
  readonly accepted: AcceptedAsset
  readonly facilitator: Facilitator
  readonly chain: Chain | undefined
  readonly now: () => Date
  /** Whether contract wallets can pay. */
  readonly acceptsContracts: boolean
}

/** The minimum remaining validity in seconds, so that a payment can reach the chain. */
const minimumLife = 6n
/** The accepted excess of the validity in seconds: payers round up, and clocks differ. */
const lifeTolerance = 600n
/** The tolerance in blocks for nodes of one endpoint that differ in their newest block. */
const leeway = 50n

/** Verifies a payment, cheap checks first: terms and times, then the signature, the chain and a simulation. */
export async function verifyPayment(
  verifier: Verifier,
  { proof, payer }: Credential<Proof>,
  purchase: Purchase,
  reserved: readonly Proof[] = [],
): Promise<Checkpoint> {
  const wrong = wrongTerms(verifier, proof, purchase)
  if (wrong !== undefined) throw paymentRefused(wrong, payer)
  const result = await checkOutside(verifier, purchase, proof, reserved).catch((cause: unknown) => {
    throw paymentUncheckable({ retryAfterMs: 5_000, cause: redactError(cause) })
  })
  if (typeof result === 'string') throw paymentRefused(result, payer)
  return result
}

/** Returns the reason code of a mismatched term. Sends no request. */
function wrongTerms({ accepted, now }: Verifier, { authorization }: Proof, purchase: Purchase): string | undefined {
  const terms = termsOf(accepted, purchase)
  if (!terms) return reasons.invalidRequirements
  const { to, value, validAfter, validBefore } = authorization
  const seconds = BigInt(Math.floor(now().getTime() / 1000))
  if (to !== terms.payTo.toLowerCase()) return reasons.recipient
  if (value !== terms.amount) return reasons.value
  if (BigInt(validAfter) > seconds) return reasons.validAfter
  if (BigInt(validBefore) < seconds + minimumLife) return reasons.validBefore
  if (BigInt(validBefore) > seconds + BigInt(validityOf(accepted, purchase)) + lifeTolerance) return reasons.validBefore
  return undefined
}

/** The sum of reserved payments in the same token. */
const sumOf = (accepted: AcceptedAsset, reserved: readonly Proof[]): bigint =>
  reserved
    .filter((one) => isForAsset(accepted, one.accepted))
    .reduce((sum, { authorization }) => sum + BigInt(authorization.value), 0n)

/** Returns the checkpoint for `settle` and `recover`, or the reason code of a refusal. */
async function checkOutside(
  { accepted, facilitator, chain, now, acceptsContracts }: Verifier,
  purchase: Purchase,
  proof: Proof,
  reserved: readonly Proof[],
): Promise<Checkpoint | string> {
  const { authorization, signature } = proof
  const digest = await digestOf(accepted.network, accepted.asset, authorization)
  const byKey = await isSignedByKey(digest, authorization, signature)
  if (!byKey && isForUndeployedWallet(signature)) return reasons.undeployedWallet
  const hasCode = chain ? await chain.hasCode(authorization.from) : !byKey
  if (hasCode && !acceptsContracts) return reasons.contractPayer
  if (!byKey && chain && !(hasCode && (await chain.isSignedByContract(digest, authorization.from, signature))))
    return reasons.signature
  const signer: Checkpoint = { ...(byKey ? {} : { contract: true }), ...(hasCode ? { code: true } : {}) }

  if (!chain) return (await askVerify(facilitator, facilitatorRequest(accepted, purchase, proof, signer))) ?? signer

  const [head, used, balance] = await Promise.all([
    chain.head(),
    chain.isUsed(authorization),
    chain.balanceOf(authorization.from),
  ])
  if (!used && balance < BigInt(authorization.value) + sumOf(accepted, reserved)) return reasons.balance
  const refusal = used
    ? reasons.nonceUsed
    : await askVerify(facilitator, facilitatorRequest(accepted, purchase, proof, signer))
  if (refusal === undefined) return { ...signer, block: String(head.number > leeway ? head.number - leeway : 0n) }
  if (refusal !== reasons.nonceUsed) return refusal

  // It was submitted to the chain before. If it paid the seller, the payer has paid.
  const oldest = BigInt(Math.floor(now().getTime() / 1000)) - BigInt(validityOf(accepted, purchase)) - lifeTolerance
  const from = await chain.blockBefore(oldest, head)
  const use = await chain.findUse(authorization, from, await chain.head())
  return typeof use === 'string' ? reasons.nonceUsed : { ...signer, block: String(from), used: true }
}
