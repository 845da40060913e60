import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpEnvironment } from '../environment.ts'
import { isSignedRequest, verifiedAgent } from './agent.ts'

/** What verifies the agents of a listener. */
export type VerifyAgentOptions = Pick<HttpEnvironment, 'verifyAgent' | 'trustStateOf'>

/** Verifies the agent that signed a request, once its body is known: the signature covers it. */
export function createVerification({ verifyAgent, trustStateOf }: VerifyAgentOptions) {
  async function check(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (isSignedRequest(request)) request.eep.agent = await verifiedAgent(request, verifyAgent)
    // Of a credential of a module.
    if (!request.eep.agent) return
    reply.header('x-eep-trust-state', await trustStateOf(request.eep.agent.did))
  }

  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    // Verification may fetch keys and stores a nonce, so it does not run on routes that are never rate limited.
    const hasProof = isSignedRequest(request) || request.eep.agent?.verified === true
    if (hasProof && request.routeOptions.config.eep?.limit !== 'exempt') {
      check(request, reply).then(() => done(), done)
    } else {
      done()
    }
  }
}
