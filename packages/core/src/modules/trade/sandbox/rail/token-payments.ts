import { HOUR_MS } from '../../../../kernel/durations.ts'
import { type CardTokenCredential, cardChallengeOf } from '../../../../ports/card/index.ts'
import { type Purchase, paymentRefused, type Settlement } from '../../../../ports/payment-rail.ts'
import type { SandboxPayment } from '../../../../ports/storage/sandbox.ts'
import { close, outcomeOf, REFUSED, type SandboxRailContext } from './context.ts'
import { detailOf, paymentIdOf, SANDBOX_CARD_NETWORK, saleOf, TEST_CARDS, type TestCard } from './records.ts'

/** A challenge is used by one token. Longer than any challenge is accepted. */
const CHALLENGE_KEPT_MS = 24 * HOUR_MS

/** Another token has paid the challenge. */
class ChallengeUsed extends Error {}

const isCard = (name: string | undefined): name is TestCard => name !== undefined && Object.hasOwn(TEST_CARDS, name)

/** Returns why a token cannot pay a purchase, whenever it is presented; undefined when it can. */
function problemOf({ cards }: SandboxRailContext, token: SandboxPayment, purchase: Purchase): string | undefined {
  const terms = cards.termsOf(purchase)
  if (!terms) return 'invalid_payment_requirements'
  return token.currency !== terms.currency || token.amount < terms.amount ? REFUSED : undefined
}

/** Uses an open token, at most once; of two tokens for one challenge, one pays. */
async function use(
  context: SandboxRailContext,
  token: SandboxPayment,
  { proof }: CardTokenCredential,
  purchase: Purchase,
) {
  const { change, cards, now } = context
  const card = detailOf(token, 'paymentMethod')
  const challenge = cardChallengeOf(proof)
  const terms = cards.termsOf(purchase)
  await change(async (payments, tx) => {
    const used = await payments.decide({
      id: token.id,
      from: ['open'],
      to: isCard(card) ? TEST_CARDS[card] : 'declined',
      at: now(),
      amount: terms?.amount,
      details: saleOf(purchase),
    })
    if (!used || !challenge) return
    const expiresAt = new Date(now().getTime() + CHALLENGE_KEPT_MS)
    // Fails the transaction, so the token remains unused.
    if (!(await tx.nonces.claim({ scope: SANDBOX_CARD_NETWORK, nonce: challenge.id, expiresAt })))
      throw new ChallengeUsed()
  })
}

/**
 * Pays with a token, and returns what came of it. The same call with the same credential takes the money once, however often and from
 * wherever it is made.
 *
 * @throws `payment_refused` and `settlement_pending`
 */
export async function payWithToken(
  context: SandboxRailContext,
  credential: CardTokenCredential,
  purchase: Purchase,
): Promise<Settlement> {
  const { payments, now } = context
  const id = paymentIdOf(credential.id)
  const token = await payments.get(id)
  // Tokens are deleted when they have expired and took nothing.
  if (!token) throw paymentRefused(REFUSED)
  if (token.state !== 'open') return outcomeOf(context, token, purchase)
  const problem = problemOf(context, token, purchase)
  if (problem !== undefined) throw paymentRefused(problem)
  const expires = cardChallengeOf(credential.proof)?.expires
  const isLate = token.expiresAt <= now() || (expires !== undefined && new Date(expires) <= now())
  if (!isLate) {
    await use(context, token, credential, purchase).catch((error: unknown) => {
      throw error instanceof ChallengeUsed ? paymentRefused('invalid_challenge') : error
    })
  }
  const after = isLate ? await close(context, id) : await payments.get(id)
  return outcomeOf(context, after ?? token, purchase)
}
