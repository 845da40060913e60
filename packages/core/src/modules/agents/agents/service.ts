import type { Clock } from '../../../kernel/clock.ts'
import { sha256 } from '../../../kernel/digest.ts'
import type { Agent, SignedRequest } from '../../../model/agent.ts'
import { invalidSignature } from '../../../model/agent-signature.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { Metrics } from '../../../runtime/telemetry/metrics.ts'
import { noncesConsumed, replaysDetected } from '../../../runtime/telemetry/replay-metrics.ts'
import type { DidResolver } from './did-resolver.ts'
import { isSigned, signingInput } from './signature.ts'

export interface AgentDeps extends GuardedStorage {
  readonly clock: Clock
  readonly dids: DidResolver
  readonly metrics: Pick<Metrics, 'counter'>
}

/** A nonce that begins with a time is valid around that time only. */
const FRESH_SECONDS = 300
/** A signature has no timestamp, so its nonce is stored for longer than requests are valid. */
const REMEMBERED_MS = 24 * 3_600_000

const NONCE = /^[\x21-\x7e]{8,128}$/
const DID = /^did:[a-z0-9]+:[^\s]{1,500}$/

const isStale = (nonce: string, now: Date): boolean => {
  const seconds = /^(\d{10})[.-]/.exec(nonce)?.[1]
  return seconds !== undefined && Math.abs(Number(seconds) - now.getTime() / 1000) > FRESH_SECONDS
}

/** Identifies agents by their DID and by signatures. */
export function createAgentService({ write, clock, dids, metrics }: AgentDeps) {
  const countConsumed = metrics.counter(noncesConsumed)
  const countReplay = metrics.counter(replaysDetected)

  return {
    /**
     * Returns the agent that signed a request. A second request with the same nonce is refused.
     *
     * @throws `invalid_signature` for every request that is not signed correctly
     */
    async verify({ signature, ...request }: SignedRequest & { readonly signature: string }): Promise<Agent> {
      const { agentDid, nonce } = request
      const now = clock()
      const refuse = (message: string) => invalidSignature({ message, details: { agent_did: agentDid } })
      if (!DID.test(agentDid)) throw refuse('EEP-Agent-DID is not a DID')
      if (!NONCE.test(nonce)) throw refuse('EEP-Nonce must have 8 to 128 visible characters')
      if (isStale(nonce, now)) throw refuse('The time in EEP-Nonce is too far from the current time')
      const keys = await dids.keysOf(agentDid, 'authentication')
      if (keys.length === 0) throw refuse('The keys of this agent cannot be found')
      if (!isSigned(keys, signingInput(request), signature))
        throw refuse('The signature does not match any key of this agent')
      // Last, so that invalid requests consume no nonces of others.
      const scope = `agent:${sha256(agentDid, 'base64url')}`
      const fresh = await write((tx) =>
        tx.nonces.claim({ scope, nonce, expiresAt: new Date(now.getTime() + REMEMBERED_MS) }),
      )
      const count = fresh ? countConsumed : countReplay
      count({ kind: 'agent_signature' })
      if (!fresh) throw refuse('This nonce was used before')
      return { did: agentDid, verified: true }
    },
  }
}
