import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { sha256 } from '../../../kernel/digest.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Token, TokenPurpose } from '../../../ports/storage/tokens.ts'
import { passkeyChallengeRefused } from './errors.ts'

/** How long a device may take to answer. */
export const CHALLENGE_SECONDS = 300

type Purpose = Extract<TokenPurpose, `passkey_${string}`>

/** Creates a challenge, and the token to store for it. */
export function newChallenge(clock: Clock, purpose: Purpose, accountId: string | null) {
  const challenge = randomBytes(32).toString('base64url')
  const createdAt = clock()
  const token: Token = {
    id: randomUUID(),
    purpose,
    hash: sha256(challenge),
    accountId,
    data: {},
    triesLeft: null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + CHALLENGE_SECONDS * 1000),
  }
  return { challenge, token }
}

/**
 * Consumes a challenge. Of concurrent uses one succeeds.
 *
 * @throws `passkey_challenge_refused`
 */
export async function consumeChallenge(
  tx: Pick<Stores, 'tokens'>,
  purpose: Purpose,
  challenge: string,
  accountId?: string | undefined,
): Promise<void> {
  if (!(await tx.tokens.consume({ purpose, hash: sha256(challenge), accountId }))) throw passkeyChallengeRefused()
}
