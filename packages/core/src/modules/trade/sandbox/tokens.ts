import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { HOUR_MS } from '../../../kernel/durations.ts'
import { cardTokenId } from '../../../ports/card/index.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { tokenExpiryInvalid, tooManyTokens } from './errors.ts'
import { MAX_OPEN, paymentIdOf, type TestCard } from './rail/records.ts'

/** What an agent may pay with a token. */
export interface TokenRequest {
  readonly paymentMethod: TestCard
  /** The most that the token pays, in the smallest unit of the currency. */
  readonly amount: bigint
  readonly currency: string
  readonly expiresAt: Date
  readonly metadata: Readonly<Record<string, string>>
}

const RETRY_MS = 60_000
/** The longest life of a token. Any client makes tokens, and their number is limited, so none stays long without a payment. */
const MAX_LIFE_MS = HOUR_MS

/** Makes the tokens with which agents pay by test card. */
export const createSandboxTokens = ({
  write,
  clock,
}: Pick<GuardedStorage<'sandbox'>, 'write'> & { readonly clock: Clock }) => ({
  /**
   * Makes a token for one payment. It is not stored: only its digest names the payment.
   *
   * @throws `token_expiry_invalid`, `too_many_tokens`
   */
  async make({ paymentMethod, amount, currency, expiresAt, metadata }: TokenRequest): Promise<string> {
    const createdAt = clock()
    const lifeMs = expiresAt.getTime() - createdAt.getTime()
    if (!(lifeMs > 0 && lifeMs <= MAX_LIFE_MS)) throw tokenExpiryInvalid()
    const token = `spt_${randomBytes(16).toString('hex')}`
    const credentialId = cardTokenId(token)
    const isStored = await write((tx) =>
      tx.sandboxPayments.insert(
        {
          id: paymentIdOf(credentialId),
          kind: 'token',
          currency,
          amount,
          details: { credentialId, paymentMethod, metadata },
          createdAt,
          expiresAt,
        },
        MAX_OPEN,
      ),
    )
    if (!isStored) throw tooManyTokens({ retryAfterMs: RETRY_MS })
    return token
  },
})

export type SandboxTokens = ReturnType<typeof createSandboxTokens>
