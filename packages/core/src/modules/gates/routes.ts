import { z } from 'zod'
import { listing, listOf, listQuery } from '../../http/listing.ts'
import { MEDIA_TYPES } from '../../http/negotiation.ts'
import { callerOf } from '../../http/request-context.ts'
import { type EepRoutes, facts } from '../../http/routes.ts'
import { sendTagged } from '../../http/tagged-answer.ts'
import { fileQuotaReached, notFound } from '../../kernel/errors.ts'
import { invalidCursor } from '../../kernel/page.ts'
import { paymentRequired } from '../payments/index.ts'
import { MAX_CONFIG_BYTES } from './config-size.ts'
import { accessForbidden, gateVersionNotFound, proofReplayed, staleGate } from './errors.ts'
import { gateConfigForm, gateConfigSchema } from './gate-config.ts'
import { readPayer } from './payer.ts'
import { credentialsOf } from './request-credentials.ts'
import { invalidProof } from './requirements/index.ts'
import {
  explainQuery,
  explanationSchema,
  gateVersionDocument,
  gateVersionSchema,
  gateVersionSummaryDocument,
  gateVersionSummarySchema,
  provenSchema,
  verifyProofBody,
} from './schemas.ts'
import type { GateService } from './service.ts'

const did = z.object({ did: z.string().min(1).max(512) })
const version = did.extend({ version: z.coerce.number().int().min(1).max(2_147_483_647) })

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
      schema: { params: did, response: { 200: gateConfigForm, 304: z.undefined() } },
    },
    async (request, reply) => {
      const { bytes: body, tag: etag } = await gates.getConfig(request.params.did, request.eep.caller)
      const headers = { 'eep-entity-did': request.params.did, vary: 'Authorization, Cookie, X-API-Key' }
      return sendTagged(request, reply, { body, etag, headers, cacheControl: 'private, max-age=60' })
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
        errors: [notFound, staleGate, fileQuotaReached],
      }),
      bodyLimit: MAX_CONFIG_BYTES,
      schema: { params: did, body: gateConfigSchema, response: { 200: gateConfigForm } },
    },
    async (request, reply) => {
      const { params, body, headers } = request
      const { bytes, tag } = await gates.putConfig(params.did, body, callerOf(request), headers['if-match'])
      return reply
        .header('etag', tag)
        .type(MEDIA_TYPES.json)
        .send(bytes as never)
    },
  )

  app.get(
    '/eep/gates/:did/versions',
    {
      config: facts({
        auth: 'key',
        scope: 'write:gates',
        tag: 'gates',
        summary: 'The kept versions of a gate configuration, newest first, without the configurations',
        errors: [notFound, invalidCursor],
      }),
      schema: { params: did, querystring: listQuery, response: { 200: listOf(gateVersionSummarySchema) } },
    },
    async (request) =>
      listing(
        await gates.listVersions(request.params.did, callerOf(request), request.query),
        gateVersionSummaryDocument,
      ),
  )

  app.get(
    '/eep/gates/:did/versions/:version',
    {
      config: facts({
        auth: 'key',
        scope: 'write:gates',
        tag: 'gates',
        summary: 'One version of a gate configuration',
        errors: [notFound, gateVersionNotFound],
      }),
      schema: { params: version, response: { 200: gateVersionSchema } },
    },
    async (request, reply) => {
      const { did, version } = request.params
      const found = await gates.getVersion(did, version, callerOf(request))
      return reply.type(MEDIA_TYPES.json).send(JSON.stringify(gateVersionDocument(found)) as never)
    },
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
