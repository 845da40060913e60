import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { canonicalJson, sha256 } from '../../../kernel/digest.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { isOwnDid } from '../../profiles/profiles/index.ts'
import { type DidResolver, invalidSignature, isSigned } from '../agents/index.ts'
import { unknownPublisher } from './errors.ts'
import type { WithdrawalRequest } from './schemas.ts'

export interface WithdrawalDeps extends Pick<GuardedStorage, 'write'> {
  readonly clock: Clock
  readonly keyring: Pick<Keyring, 'signText'>
  readonly publicUrl: string
  readonly dids: Pick<DidResolver, 'keysOf'>
}

const FRESH_MS = 60_000
/** A request is refused as stale before its nonce can be used again. */
const NONCE_MS = 2 * FRESH_MS

/** Acknowledges withdrawals of claims. No claim is stored, so each withdrawal is completed when it is acknowledged. */
export function createWithdrawalService({ write, clock, keyring, publicUrl, dids }: WithdrawalDeps) {
  return {
    /**
     * Verifies the request of an agent to withdraw a claim that it presented, and returns a signed acknowledgement.
     *
     * @throws `invalid_signature` for a request that is not signed by the agent, is not recent, or was sent before;
     * `unknown_publisher` for one to another service
     */
    async withdraw({ signature, ...request }: WithdrawalRequest) {
      const { claim_id, agent_did: agentDid, publisher_did: publisherDid, issued_at: issuedAt, nonce } = request
      // Also for profiles that are private or deleted, so that the response does not reveal which profiles exist.
      if (publisherDid !== undefined && !isOwnDid(publicUrl, publisherDid)) throw unknownPublisher()
      const now = clock()
      const refuse = (message: string) => invalidSignature({ message, details: { agent_did: agentDid } })
      if (Math.abs(Date.parse(issuedAt) - now.getTime()) > FRESH_MS)
        throw refuse('issued_at must be within 60 seconds of now')
      const keys = await dids.keysOf(agentDid, 'authentication')
      if (keys.length === 0) throw refuse('The keys of this agent cannot be found')
      if (!isSigned(keys, canonicalJson(request), signature))
        throw refuse('The signature does not match any key of this agent')
      const scope = `withdrawal:${sha256(agentDid, 'base64url')}`
      const expiresAt = new Date(now.getTime() + NONCE_MS)
      const isNew = await write((tx) => tx.nonces.claim({ scope, nonce, expiresAt }))
      if (!isNew) throw refuse('This nonce was used before')
      const acknowledgement = {
        withdrawal_id: randomUUID(),
        claim_id,
        status: 'completed' as const,
        acknowledged_at: now.toISOString(),
        expected_completion_at: now.toISOString(),
      }
      return { ...acknowledgement, publisher_signature: keyring.signText(canonicalJson(acknowledgement)) }
    },
  }
}

/** Withdrawals of claims. */
export type WithdrawalService = ReturnType<typeof createWithdrawalService>
