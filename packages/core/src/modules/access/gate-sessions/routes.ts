import { z } from 'zod'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { notFound } from '../../../kernel/errors.ts'
import { profileMoved } from '../../profiles/profiles/index.ts'
import { credentialsOf, type Paywall } from '../paywall/index.ts'
import { gateSessionNotDue, gateSessionOver, invalidGateSession } from './errors.ts'
import { renewedSchema, revocationBody, revocationSchema } from './schemas.ts'
import type { GateSessionService, RevokedSessions } from './service.ts'

const did = z.object({ did: z.string().min(1).max(512) })

const serializeRevocation = ({ agentDid, agentDigest, publisherDid, reason, revokedAt }: RevokedSessions) => ({
  agent_did: agentDid,
  agent_digest: agentDigest,
  publisher_did: publisherDid,
  reason,
  revoked_at: revokedAt.toISOString(),
  re_auth_required: true as const,
})

/** Routes that renew and revoke the sessions of agents. */
export function gateSessionRoutes(
  app: EepRoutes,
  { gateSessions, paywall }: { readonly gateSessions: GateSessionService; readonly paywall: Paywall },
): void {
  app.post(
    '/eep/sessions/renew',
    {
      config: routeConfig({
        auth: 'none',
        scope: 'read:gates',
        tag: 'gates',
        operationId: 'renewSession',
        summary: 'Renew the session of a signing agent, sent as `Authorization: EEP-Session`',
        errors: [notFound, invalidGateSession, gateSessionNotDue, gateSessionOver],
      }),
      schema: { response: { 200: renewedSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { session, token, expiresAt } = await gateSessions.renew(credentialsOf(request, paywall))
      return { session_token: token, session, expires_at: expiresAt.toISOString() }
    },
  )

  app.post(
    '/eep/sessions/revoke',
    {
      config: routeConfig({
        auth: 'none',
        scope: 'read:gates',
        tag: 'gates',
        operationId: 'endSession',
        summary: 'Revoke all sessions of the signing agent at this gate',
        errors: [notFound, invalidGateSession],
      }),
      schema: { response: { 200: revocationSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return serializeRevocation(await gateSessions.end(credentialsOf(request, paywall)))
    },
  )

  app.post(
    '/eep/gates/:did/sessions/revoke',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'write:gates',
        tag: 'gates',
        operationId: 'revokeSessions',
        summary: 'Revoke the sessions of an agent at the gate of an entity',
        errors: [notFound, profileMoved],
      }),
      schema: { params: did, body: revocationBody, response: { 200: revocationSchema } },
    },
    async (request) => {
      const { agent_did: agentDid, reason } = request.body
      return serializeRevocation(await gateSessions.revoke(request.params.did, agentDid, reason, callerOf(request)))
    },
  )
}
