// #region card
import { formatPaymentCredential, parsePaymentChallenges } from '@eep/core/ports'
import { patient } from './patience.ts'

/** The limits of a shared payment token. Amounts are in the smallest unit. */
export interface TokenTerms {
  readonly sellerId: string
  readonly amount: number
  readonly currency: string
  readonly expiresAt: Date
}

/** Reads a page, and pays for it with a token if it has a price. */
export async function buyByCard(url: string, makeToken: (terms: TokenTerms) => Promise<string>): Promise<Response> {
  const unpaid = await fetch(url, { headers: { 'x-eep-agent-capabilities': 'stripe-mpp' } })
  if (unpaid.status !== 402) return unpaid
  const challenges = parsePaymentChallenges(unpaid.headers.get('www-authenticate') ?? '')
  const challenge = challenges.find(({ method }) => method === 'stripe')
  if (!challenge) throw new Error('This page does not accept cards')
  const { amount, currency, methodDetails } = JSON.parse(Buffer.from(challenge.request, 'base64url').toString())
  const token = await makeToken({
    sellerId: methodDetails.networkId,
    amount: Number(amount),
    currency,
    expiresAt: new Date(challenge.expires ?? Date.now() + 300_000),
  })
  const credential = formatPaymentCredential(challenge, { spt: token })
  return patient(fetch)(url, { headers: { [challenge.header ?? 'Authorization']: credential } })
}
// #endregion
