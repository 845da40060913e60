import type { FastifyRequest } from 'fastify'
import type { Agent, SignedRequest } from '../model/agent.ts'
import { claimedAgentDid } from './agent-did.ts'

/** Checks what an agent signed; throws `invalid_signature`. */
export type VerifyAgent = (request: SignedRequest & { readonly signature: string }) => Promise<Agent>

/** Whether a request is signed, so that its body is kept as it was sent. */
export const isSignedRequest = (request: FastifyRequest): boolean => request.headers['eep-signature'] !== undefined

/** The agent that a request names, before anything is proved. */
export function claimedAgent(request: FastifyRequest): Agent | undefined {
  const did = claimedAgentDid(request.headers)
  return did === undefined ? undefined : { did, verified: false }
}

/**
 * The agent that signed a request. Called when the body is read and before anything acts on it.
 *
 * @throws `invalid_signature` when the signature, the nonce or the agent's name is missing or wrong
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
