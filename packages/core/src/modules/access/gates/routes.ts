import { z } from 'zod'
import { listOf, listQuery, listResponse } from '../../../http/documents/lists.ts'
import { formatQuery, invalidFormat, protocolTypes } from '../../../http/documents/negotiation.ts'
import { sendJson, sendProtocolDocument } from '../../../http/documents/send-with-etag.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { fileQuotaReached, notFound } from '../../../kernel/errors.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { gateConfigForm } from '../../../model/gate-config.ts'
import { MAX_CONFIG_BYTES } from '../../../model/gate-config-size.ts'
import { profileMoved } from '../../profiles/profiles/index.ts'
import { gateVersionNotFound, priceNotPayable, staleGate } from './errors.ts'
import {
  gateBody,
  gateVersionSchema,
  gateVersionSummarySchema,
  savedGateSchema,
  serializeGateVersion,
  serializeGateVersionSummary,
} from './schemas.ts'
import type { GateService } from './service.ts'

const did = z.object({ did: z.string().min(1).max(512) })
const version = did.extend({ version: z.coerce.number().int().min(1).max(2_147_483_647) })

/** The gate configuration of an entity. */
export function gateRoutes(app: EepRoutes, { gates }: { readonly gates: GateService }): void {
  app.get(
    '/eep/gates/:did',
    {
      config: routeConfig({
        auth: 'none',
        scope: 'read:gates',
        tag: 'gates',
        operationId: 'getGates',
        summary: 'Get the gate configuration of an entity',
        errors: [notFound, profileMoved, invalidFormat],
        produces: protocolTypes(),
      }),
      schema: { params: did, querystring: formatQuery, response: { 200: gateConfigForm, 304: z.undefined() } },
    },
    async (request, reply) => {
      const { bytes: body, tag: etag } = await gates.getConfig(request.params.did, request.eep.caller)
      const headers = { 'eep-entity-did': request.params.did, vary: 'Authorization, Cookie, X-API-Key' }
      return sendProtocolDocument(request, reply, {
        title: 'Gates',
        body,
        etag,
        headers,
        cacheControl: 'private, max-age=60',
      })
    },
  )

  app.put(
    '/eep/gates/:did',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'write:gates',
        tag: 'gates',
        operationId: 'replaceGates',
        summary: 'Replace the gate configuration of an entity; `If-Match` prevents lost updates',
        errors: [notFound, profileMoved, staleGate, priceNotPayable, fileQuotaReached],
      }),
      bodyLimit: MAX_CONFIG_BYTES,
      schema: { params: did, body: gateBody, response: { 200: savedGateSchema } },
    },
    async (request, reply) => {
      const { params, body, headers } = request
      const { allow, ...config } = body
      const { bytes, tag, warnings } = await gates.putConfig(params.did, config, callerOf(request), {
        ifMatch: headers['if-match'],
        allowsUnpayable: allow === 'unpayable',
      })
      const saved = warnings.length === 0 ? bytes : JSON.stringify({ ...config, warnings })
      return sendJson(reply.header('etag', tag), saved)
    },
  )
}

/** The versions of gate configurations. */
export function gateVersionRoutes(app: EepRoutes, { gates }: { readonly gates: GateService }): void {
  app.get(
    '/eep/gates/:did/versions',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'write:gates',
        tag: 'gates',
        operationId: 'listGateVersions',
        summary: 'List the stored versions of a gate configuration, newest first',
        errors: [notFound, profileMoved, invalidCursor],
      }),
      schema: { params: did, querystring: listQuery, response: { 200: listOf(gateVersionSummarySchema) } },
    },
    async (request) =>
      listResponse(
        await gates.listVersions(request.params.did, callerOf(request), request.query),
        serializeGateVersionSummary,
      ),
  )

  app.get(
    '/eep/gates/:did/versions/:version',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'write:gates',
        tag: 'gates',
        operationId: 'getGateVersion',
        summary: 'Get a version of a gate configuration',
        errors: [notFound, profileMoved, gateVersionNotFound],
      }),
      schema: { params: version, response: { 200: gateVersionSchema } },
    },
    async (request, reply) => {
      const { did, version } = request.params
      const found = await gates.getVersion(did, version, callerOf(request))
      return sendJson(reply, JSON.stringify(serializeGateVersion(found)))
    },
  )
}
