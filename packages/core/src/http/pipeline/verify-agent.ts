import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpEnvironment } from '../environment.ts'
import { isSignedRequest, verifiedAgent } from './agent.ts'

/** What verifies the agents of a listener. */
export type VerifyAgentOptions = Pick<HttpEnvironment, 'verifyAgent' | 'trustStateOf'>

/** Verifies the agent that signed a request, once its body is known: the signature covers it. */
export function createVerification({ verifyAgent, trustStateOf }: VerifyAgentOptions) {
  async function check(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    request.eep.agent = await verifiedAgent(request, verifyAgent)
    reply.header('x-eep-trust-state', await trustStateOf(request.eep.agent.did))
  }

  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    // Verification may fetch keys and stores a nonce, so it does not run on routes that are never rate limited.
    if (isSignedRequest(request) && request.routeOptions.config.eep?.limit !== 'exempt') {
      check(request, reply).then(() => done(), done)
    } else {
      done()
    }
  }
}
