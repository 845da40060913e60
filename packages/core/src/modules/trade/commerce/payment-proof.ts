import { sha256 } from '../../../kernel/digest.ts'
import type { Invoice, ProofOfPayment } from '../../../model/terms.ts'
import type { DealReceipt, Negotiation } from '../../../ports/storage/commerce.ts'
import type { Receipt } from '../../../ports/storage/payments.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { paymentProofRefused } from './errors.ts'

const OURS = /^rcpt_/
const HEX = /^0x[0-9a-f]+$/i

/** A checked proof, and the keys under which it can pay for one negotiation only. */
export interface CheckedProof {
  readonly receipt: DealReceipt
  readonly keys: readonly string[]
}

/** The same payment has the same key, however it is spelled. */
const tokenKey = (token: string): string => {
  const text = token.trim()
  return `sha256:${sha256(HEX.test(text) ? text.toLowerCase() : text)}`
}

/** Treats `usdc` as US dollars. */
const dollars = (currency: string) => (currency === 'usdc' ? 'usd' : currency)

/** The payer, by the identifiers of a receipt. */
export interface ProofPayer {
  readonly accountIds: readonly string[]
  readonly did: string | undefined
}

const isPaidBy = ({ payerDid, payerAccountId }: Receipt, { accountIds, did }: ProofPayer): boolean =>
  (did !== undefined && payerDid === did) || (payerAccountId !== null && accountIds.includes(payerAccountId))

const isPage = (method: string): boolean => /^content\.\S/.test(method)

/** The pages that an invoice names, by which it can be paid. */
const pagesOf = ({ payment_methods: methods = [] }: Invoice): readonly string[] => methods.filter(isPage)

/**
 * Checks the payment proof of a buyer. A proof that names a receipt of this service must match it: buyer, seller, page and whole
 * amount, issued after the invoice, and not refunded. Any other proof is stored as claimed, and so is a receipt for an invoice that
 * names no page: what was bought is then not what was agreed.
 *
 * @throws `payment_proof_refused`
 */
export async function checkProof(
  proof: ProofOfPayment,
  negotiation: Negotiation,
  payer: ProofPayer,
  { receipts, refunds }: Pick<Readers<'negotiations' | 'listings'>, 'receipts' | 'refunds'>,
): Promise<CheckedProof> {
  const { token } = proof.payment_proof
  const named = [...new Set([proof.receipt_id, token.trim()].filter((id) => OURS.test(id)))]
  const claimed = { receipt: { ...proof, verified: false }, keys: [tokenKey(token)] }
  if (named.length === 0) return claimed
  const [id = ''] = named
  const receipt = named.length === 1 && id.length <= 64 ? await receipts.get(id) : undefined
  const refuse = (message: string) => paymentProofRefused({ message, details: { receipt_id: id } })

  if (!receipt || !isPaidBy(receipt, payer)) throw refuse('There is no such receipt of the buyer')
  if (receipt.seller.profileId !== negotiation.sellerProfileId) throw refuse('This receipt is from another seller')
  // When a payment is checked, the invoice is the last move.
  if (receipt.issuedAt < negotiation.updatedAt) throw refuse('This receipt is older than the invoice')
  if (await refunds?.get(id)) throw refuse('This receipt was refunded')
  const { invoice } = negotiation
  if ((proof.invoice_id ?? invoice?.invoice_id) !== invoice?.invoice_id) throw refuse('This is another invoice')
  const pages = invoice ? pagesOf(invoice) : []
  if (pages.length > 0 && !pages.includes(receipt.resource))
    throw refuse('This receipt is not for a page that the invoice names')
  const covers =
    invoice !== null &&
    dollars(receipt.amount.currency) === dollars(invoice.currency) &&
    Number(receipt.amount.decimal) >= invoice.amount
  if (!covers) throw refuse('This receipt does not cover the whole invoice')
  return { receipt: { ...proof, verified: pages.length > 0 }, keys: [...new Set([tokenKey(id), tokenKey(token)])] }
}
