import { z } from 'zod'
import { DOCUMENT_TYPES, formatQuery, invalidFormat } from '../../../http/documents/negotiation.ts'
import { sendDocument } from '../../../http/documents/public-document.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { type ProfileService, profileMoved, profileNotFound, profileParams, typeOf } from '../profiles/index.ts'
import { invalidAgentDid, missingOrInvalidAgentDid, notGraduated } from './errors.ts'
import { graduateBody, graduated, trustSchema, trustStatus, trustStatusQuery } from './schemas.ts'
import type { TrustService } from './service.ts'
import { trustDocument } from './trust-document.ts'

const DID = /^did:[a-z0-9]+:[^\s\0]{1,500}$/

/** Routes of the trust in profiles and agents. */
export function trustRoutes(
  app: EepRoutes,
  { trust, profiles }: { readonly trust: TrustService; readonly profiles: Pick<ProfileService, 'didOf'> },
): void {
  const tag = 'trust'

  app.get(
    '/trust/:prefix/:username',
    {
      config: routeConfig({
        auth: 'none',
        scope: 'read:profiles',
        tag,
        operationId: 'getProfileTrust',
        summary: 'Get the trust score of a profile and its signals',
        errors: [profileNotFound, profileMoved, invalidFormat],
        produces: DOCUMENT_TYPES,
      }),
      schema: {
        params: profileParams,
        querystring: formatQuery,
        response: { 200: trustSchema, 304: z.undefined() },
      },
    },
    async (request, reply) => {
      const { prefix, username } = request.params
      const { profile, trust: score } = await trust.ofProfile(typeOf(prefix), username, request.eep.caller)
      return sendDocument(request, reply, trustDocument(profile, profiles.didOf(profile), score))
    },
  )

  app.get(
    '/eep/trust-status',
    {
      config: routeConfig({
        auth: 'none',
        tag,
        operationId: 'getTrustStatus',
        summary: 'Check whether an agent is known to the service',
        errors: [missingOrInvalidAgentDid],
      }),
      schema: { querystring: trustStatusQuery, response: { 200: trustStatus } },
    },
    async (request, reply) => {
      const { agent_did } = request.query
      if (!DID.test(agent_did)) throw missingOrInvalidAgentDid()
      reply.header('cache-control', 'no-cache')
      return { agent_did, trust_state: await trust.stateOf(agent_did) }
    },
  )

  app.post(
    '/eep/trust/graduate',
    {
      config: routeConfig({
        auth: 'none',
        tag,
        operationId: 'graduateAgent',
        summary: 'Confirm that an agent is known to the service because it has paid',
        errors: [invalidAgentDid, notGraduated],
      }),
      schema: { body: graduateBody, response: { 200: graduated } },
    },
    async (request) => {
      const { agent_did } = request.body
      if (!DID.test(agent_did)) throw invalidAgentDid()
      if ((await trust.stateOf(agent_did)) !== 'standard') throw notGraduated()
      return { ok: true as const, agent_did, trust_state: 'standard' as const }
    },
  )
}
