import type { FastifyRequest } from 'fastify'
import type { Agent, SignedRequest } from '../../model/agent.ts'
import { claimedAgentDid } from './agent-did.ts'

/** Verifies a request signature; throws `invalid_signature`. */
export type VerifyAgent = (request: SignedRequest & { readonly signature: string }) => Promise<Agent>

/** Whether a request is signed; its raw body is then kept for verification. */
export const isSignedRequest = (request: FastifyRequest): boolean => request.headers['eep-signature'] !== undefined

/** Returns the agent that a request names, unverified. */
export function claimedAgent(request: FastifyRequest): Agent | undefined {
  const did = claimedAgentDid(request.headers)
  return did === undefined ? undefined : { did, verified: false }
}

/**
 * Returns the agent that signed a request. Called after the body is read and before it is used.
 *
 * @throws `invalid_signature` when the signature, the nonce or the agent's DID is missing or wrong
 */
export function verifiedAgent(request: FastifyRequest, verify: VerifyAgent): Promise<Agent> {
  const { headers, method, originalUrl, eep } = request
  return verify({
    method,
    path: originalUrl,
    agentDid: eep.agent?.did ?? '',
    nonce: headers['eep-nonce']?.toString() ?? '',
    signature: headers['eep-signature']?.toString() ?? '',
    body: eep.sentBody ?? '',
  })
}
