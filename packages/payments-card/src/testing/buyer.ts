import {
  challengeIn,
  formatPaymentCredential,
  type PaymentChallenge,
  parsePaymentChallenges,
  type RailOffer,
} from '@eep/core/ports'
import type { TokenRequest } from './fake-records.ts'
import type { FakeStripe } from './fake-stripe.ts'

const requestOf = ({ request }: PaymentChallenge) =>
  JSON.parse(Buffer.from(request, 'base64url').toString()) as { amount: string; currency: string }

/** Acts as an agent with a card: requests a token for a challenge and answers it. */
export function answerChallenge(stripe: FakeStripe, challenge: PaymentChallenge, changes: TokenRequest = {}): string {
  const { amount, currency } = requestOf(challenge)
  const { expires } = challenge
  const token = stripe.grant({
    currency,
    maxAmount: Number(amount),
    ...(expires === undefined ? {} : { expiresAt: Math.floor(Date.parse(expires) / 1000) }),
    ...changes,
  })
  return formatPaymentCredential(challenge, { spt: token.id })
}

/** Answers the offer of a rail. Returns the headers of the paid request. */
export function payOffer(stripe: FakeStripe, offer: RailOffer, changes?: TokenRequest) {
  const challenge = challengeIn(offer) as PaymentChallenge | undefined
  if (!challenge) throw new Error('The offer has no challenge')
  return { authorization: answerChallenge(stripe, challenge, changes) }
}

/**
 * Answers the `WWW-Authenticate` of a 402 with any number of values. Returns the headers of the paid request. Throws when there
 * is no challenge for Stripe.
 */
export function payChallenge(
  stripe: FakeStripe,
  authenticate: unknown,
  changes?: TokenRequest,
): Record<string, string> {
  const values = Array.isArray(authenticate) ? authenticate.map(String) : String(authenticate ?? '')
  const challenge = parsePaymentChallenges(values).find(({ method }) => method === 'stripe')
  if (!challenge) throw new Error('The 402 has no challenge for Stripe')
  const field = challenge.header === 'Payment-Authorization' ? 'payment-authorization' : 'authorization'
  return { [field]: answerChallenge(stripe, challenge, changes) }
}
