import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { GATE_ERRORS } from '../../access/paywall/index.ts'
import {
  profileMoved,
  profileNotFound,
  profileParams,
  profileRecord,
  recordQuery,
  typeOf,
} from '../../profiles/profiles/index.ts'
import { dependsOnType, type ProfileParts, partKeys, partReaderOf, withAgentType } from './agent-type.ts'
import { openProfile } from './open-profile.ts'
import type { PublicReadServices } from './public.routes.ts'

/** A profile as JSON, for clients that know it by its type and username. */
export function recordRoutes(app: EepRoutes, services: PublicReadServices, parts: ProfileParts): void {
  const { profiles } = services

  app.get(
    '/profiles/:prefix/:username',
    {
      config: routeConfig({
        auth: 'none',
        scope: 'read:profiles',
        tag: 'profiles',
        operationId: 'getProfileRecord',
        summary: 'Get a profile as JSON; its owner also sees its email address',
        errors: [profileNotFound, profileMoved, ...GATE_ERRORS],
      }),
      schema: {
        params: profileParams,
        ...withAgentType(recordQuery(partKeys(parts)), dependsOnType(parts)),
        response: { 200: profileRecord, 304: z.undefined() },
      },
    },
    async (request, reply) => {
      const { prefix, username } = request.params
      const { caller } = request.eep
      const known = await profiles.getDocument(typeOf(prefix), username, caller)
      const found = await openProfile(request, reply, services, known, request.query.fields)
      if (isEepError(found)) return (reply as FastifyReply).send(found)
      const { data, vary } = found.documentFor(await partReaderOf(request, known, profiles))
      const isOwner = (await profiles.roleOf(known.profile, caller)) === 'owner'
      const body = isOwner ? { ...data, email: known.profile.email } : data
      const headers = { 'eep-entity-did': profiles.didOf(known.profile), ...(vary ? { vary } : {}) }
      return sendWithEtag(request, reply, {
        body,
        headers,
        cacheControl: 'private, no-cache',
        conditional: !found.paid,
      })
    },
  )
}
