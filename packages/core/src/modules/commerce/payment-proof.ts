import { sha256 } from '../../kernel/digest.ts'
import type { Invoice, ProofOfPayment } from '../../model/terms.ts'
import type { DealReceipt, Negotiation } from '../../ports/storage/commerce.ts'
import type { Receipt } from '../../ports/storage/payments.ts'
import type { Readers } from '../../ports/storage/storage.ts'
import { paymentProofRefused } from './errors.ts'

const OURS = /^rcpt_/
const HEX = /^0x[0-9a-f]+$/i

/** A proof that was looked at, and the keys under which it may pay for one deal only. */
export interface CheckedProof {
  readonly receipt: DealReceipt
  readonly keys: readonly string[]
}

/** The same payment has the same key, however it is spelled. */
const keyOf = (token: string): string => {
  const text = token.trim()
  return `sha256:${sha256(HEX.test(text) ? text.toLowerCase() : text)}`
}

/** `usdc` counts as the dollars it stands for. */
const dollars = (currency: string) => (currency === 'usdc' ? 'usd' : currency)

/** Who paid, as a receipt may name it. */
export interface ProofPayer {
  readonly accountIds: readonly string[]
  readonly did: string | undefined
}

const isPaidBy = ({ payerDid, payerAccountId }: Receipt, { accountIds, did }: ProofPayer): boolean =>
  (did !== undefined && payerDid === did) || (payerAccountId !== null && accountIds.includes(payerAccountId))

const isPage = (method: string): boolean => /^content\.\S/.test(method)

/** Whether what was bought is what an invoice is to be paid by, where it names pages. */
function isOfPage({ resource }: Receipt, { payment_methods: methods = [] }: Invoice): boolean {
  const pages = methods.filter(isPage)
  return pages.length === 0 || pages.includes(resource)
}

/**
 * Looks at how a buyer says it paid. What names a receipt of this service must be one: of this buyer for this seller,
 * from after the invoice, of the page that it names and the whole amount, and not given back. Anything else is kept as it
 * is claimed.
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
  const claimed = { receipt: { ...proof, verified: false }, keys: [keyOf(token)] }
  if (named.length === 0) return claimed
  const [id = ''] = named
  const receipt = named.length === 1 && id.length <= 64 ? await receipts.get(id) : undefined
  const refuse = (message: string) => paymentProofRefused({ message, details: { receipt_id: id } })

  if (!receipt || !isPaidBy(receipt, payer)) throw refuse('There is no such receipt of the buyer')
  if (receipt.seller.profileId !== negotiation.sellerProfileId) throw refuse('This receipt is of another seller')
  // Where a payment is looked at, the invoice is the last that was done.
  if (receipt.issuedAt < negotiation.updatedAt) throw refuse('This receipt is older than the invoice')
  if (await refunds?.get(id)) throw refuse('The money of this receipt went back')
  const { invoice } = negotiation
  if ((proof.invoice_id ?? invoice?.invoice_id) !== invoice?.invoice_id) throw refuse('This is another invoice')
  if (invoice && !isOfPage(receipt, invoice)) throw refuse('This receipt is not of a page that the invoice names')
  const covers =
    invoice !== null &&
    dollars(receipt.amount.currency) === dollars(invoice.currency) &&
    Number(receipt.amount.decimal) >= invoice.amount
  if (!covers) throw refuse('This receipt is not of the whole invoice')
  return { receipt: { ...proof, verified: true }, keys: [...new Set([keyOf(id), keyOf(token)])] }
}
