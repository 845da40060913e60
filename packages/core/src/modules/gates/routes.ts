import { z } from 'zod'
import { matchesEtag } from '../../http/document.ts'
import { listing, listOf, listQuery } from '../../http/listing.ts'
import { callerOf } from '../../http/request-context.ts'
import { type EepRoutes, facts } from '../../http/routes.ts'
import { notFound } from '../../kernel/errors.ts'
import { invalidCursor } from '../../kernel/page.ts'
import { paymentRequired } from '../payments/index.ts'
import { accessForbidden, proofReplayed, staleGate } from './errors.ts'
import { gateConfigSchema } from './gate-config.ts'
import { readPayer } from './payer.ts'
import { credentialsOf } from './request-credentials.ts'
import { invalidProof } from './requirements/index.ts'
import {
  explainQuery,
  explanationSchema,
  gateVersionDocument,
  gateVersionSchema,
  provenSchema,
  verifyProofBody,
} from './schemas.ts'
import type { GateService } from './service.ts'

const did = z.object({ did: z.string().min(1).max(512) })

/** The gate configuration of an entity. */
export function gateRoutes(app: EepRoutes, { gates }: { readonly gates: GateService }): void {
  app.get(
    '/eep/gates/:did',
    {
      config: facts({
        auth: 'none',
        scope: 'read:gates',
        tag: 'gates',
        summary: 'The gate configuration of an entity',
        errors: [notFound],
      }),
      schema: { params: did, response: { 200: gateConfigSchema, 304: z.undefined() } },
    },
    async (request, reply) => {
      const { config, tag: etag } = await gates.getConfig(request.params.did, request.eep.caller)
      reply
        .header('etag', etag)
        .header('cache-control', 'private, max-age=60')
        .header('vary', 'Authorization, Cookie, X-API-Key')
      const known = request.headers['if-none-match']
      if (known !== undefined && matchesEtag(known, etag)) return reply.code(304).send()
      return config
    },
  )

  app.put(
    '/eep/gates/:did',
    {
      config: facts({
        auth: 'key',
        scope: 'write:gates',
        tag: 'gates',
        summary: 'Replaces the gate configuration of an entity; `If-Match` guards against overwriting',
        errors: [notFound, staleGate],
      }),
      schema: { params: did, body: gateConfigSchema, response: { 200: gateConfigSchema } },
    },
    async (request, reply) => {
      const { params, body, headers } = request
      const { config, tag } = await gates.putConfig(params.did, body, callerOf(request), headers['if-match'])
      reply.header('etag', tag)
      return config
    },
  )

  app.get(
    '/eep/gates/:did/versions',
    {
      config: facts({
        auth: 'key',
        scope: 'write:gates',
        tag: 'gates',
        summary: 'What an entity asked for over time, newest first',
        errors: [notFound, invalidCursor],
      }),
      schema: { params: did, querystring: listQuery, response: { 200: listOf(gateVersionSchema) } },
    },
    async (request) =>
      listing(await gates.listVersions(request.params.did, callerOf(request), request.query), gateVersionDocument),
  )

  app.get(
    '/eep/gates/:did/explain',
    {
      config: facts({
        auth: 'key',
        scope: 'write:gates',
        tag: 'gates',
        summary: 'Who gets a resource, and why; and how a payer would stand',
        errors: [notFound],
      }),
      schema: { params: did, querystring: explainQuery, response: { 200: explanationSchema } },
    },
    async (request) => {
      const { resource, payer_wallet: wallet, payer_network: network } = request.query
      const payer = readPayer(wallet, network)
      return gates.explain(request.params.did, resource, callerOf(request), { payer }) as never
    },
  )

  app.post(
    '/eep/gates/:did/verify-proof',
    {
      config: facts({
        auth: 'none',
        scope: 'read:gates',
        tag: 'gates',
        summary: 'Checks proofs for a resource; an agent that signs gets a session for an hour',
        errors: [notFound, accessForbidden, paymentRequired, proofReplayed, invalidProof],
        problems: true,
      }),
      schema: { params: did, body: verifyProofBody, response: { 200: provenSchema } },
    },
    async (request, reply) => {
      const { resource, proofs } = request.body
      reply.header('cache-control', 'no-store')
      const { tier, session, token } = await gates.verifyProof(
        request.params.did,
        resource,
        credentialsOf(request, gates, proofs),
      )
      return {
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
