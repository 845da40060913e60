import { z } from 'zod'
import { callerOf } from '../../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../../http/routes.ts'
import { notFound } from '../../../../kernel/errors.ts'
import { gateConfigForm } from '../../../../model/gate-config.ts'
import { invalidProof } from '../../../../model/gate-proof.ts'
import { readPayer } from '../../../../model/payer.ts'
import { profileMoved } from '../../../profiles/profiles/index.ts'
import { explainQuery, explanationSchema, provenSchema, verifyProofBody } from '../access/decision-schemas.ts'
import { readerOfAudience } from '../access/reader.ts'
import { credentialsOf } from '../access/require-access.ts'
import { accessForbidden, paymentRequired, proofReplayed } from '../errors.ts'
import type { Paywall } from '../service.ts'

const did = z.object({ did: z.string().min(1).max(512) })

/** Routes that explain the decisions of a gate to members who may change it, and check the proofs of agents. */
export function decisionRoutes(app: EepRoutes, { paywall }: { readonly paywall: Paywall }): void {
  app.get(
    '/eep/gates/:did/explain',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'write:gates',
        tag: 'gates',
        operationId: 'explainAccess',
        summary: 'Explain the access decision for a resource, by audience and for an optional payer',
        errors: [notFound, profileMoved],
      }),
      schema: { params: did, querystring: explainQuery, response: { 200: explanationSchema } },
    },
    async (request) => {
      const { resource, payer_wallet: wallet, payer_network: network, as } = request.query
      const visitor = { payer: readPayer(wallet, network), reader: as && readerOfAudience(as) }
      return paywall.explain(request.params.did, resource, callerOf(request), visitor)
    },
  )

  app.get(
    '/eep/gates/:did/endpoints/:resource',
    {
      config: routeConfig({
        auth: 'none',
        scope: 'read:gates',
        tag: 'gates',
        operationId: 'getEndpointGate',
        summary: 'Get the gate of a route of the host that is sold at a fixed price',
        errors: [notFound, profileMoved],
      }),
      schema: { params: did.extend({ resource: z.string().min(1).max(512) }), response: { 200: gateConfigForm } },
    },
    async (request) => paywall.endpointGate(request.params.did, request.params.resource, request.eep.caller),
  )

  app.post(
    '/eep/gates/:did/verify-proof',
    {
      config: routeConfig({
        auth: 'none',
        scope: 'read:gates',
        tag: 'gates',
        operationId: 'verifyProof',
        summary: 'Verify proofs for a resource; a signing agent gets a session for an hour',
        errors: [notFound, profileMoved, accessForbidden, paymentRequired, proofReplayed, invalidProof],
        problems: true,
      }),
      schema: { params: did, body: verifyProofBody, response: { 200: provenSchema } },
    },
    async (request, reply) => {
      const { resource, proofs } = request.body
      reply.header('cache-control', 'no-store')
      const { tier, session, token } = await paywall.verifyProof(
        request.params.did,
        resource,
        credentialsOf(request, paywall, proofs),
      )
      return {
        access: 'granted' as const,
        granted: true as const,
        resource,
        tier,
        ...(session && token !== undefined
          ? { session_token: token, session, expires_at: new Date(session.exp * 1000).toISOString() }
          : {}),
      }
    },
  )
}
