import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { etagOf, varyOfReader } from '../../../http/documents/public-document.ts'
import { sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { GATE_ERRORS, type Paywall } from '../../access/paywall/index.ts'
import { itemsOf, notProfileOwner, type ProfileService, profileNotFound } from '../../profiles/profiles/index.ts'
import { openProfile } from '../profile-documents/index.ts'
import { staleSections } from './errors.ts'
import { sectionsOfProfiles, serializeSection } from './profile-part.ts'
import { sectionParams, sectionsAnswer, sectionsBody, toSections } from './schemas.ts'
import { type SmartSectionService, sectionsTag } from './service.ts'

export interface SmartSectionRouteServices {
  readonly smartSections: SmartSectionService
  readonly profiles: ProfileService
  readonly paywall: Paywall
}

/** Routes of the sections of a profile. */
export function smartSectionRoutes(app: EepRoutes, services: SmartSectionRouteServices): void {
  const { smartSections, profiles } = services
  const path = '/profiles/:id/smart-sections'

  app.get(
    path,
    {
      config: routeConfig({
        auth: 'none',
        scope: 'read:profiles',
        tag: 'profiles',
        operationId: 'getSmartSections',
        summary: 'Get the sections of a profile for types of agents',
        errors: [profileNotFound, ...GATE_ERRORS],
      }),
      schema: { params: sectionParams, response: { 200: sectionsAnswer, 304: z.undefined() } },
    },
    async (request, reply) => {
      const { caller } = request.eep
      const { id, type, username } = await profiles.get(request.params.id, caller)
      const known = await profiles.getDocument(type, username, caller)
      const found = await openProfile(request, reply, services, known, ['smart_sections'])
      if (isEepError(found)) return (reply as FastifyReply).send(found)
      const isTeam = (await profiles.roleOf(known.profile, caller)) !== undefined
      // Others get the sections that were read with the gate: newer ones may be under a newer gate.
      const stored = isTeam ? await smartSections.get(id) : undefined
      const shown =
        stored?.sections ??
        itemsOf(known, sectionsOfProfiles)?.filter(({ visibility }) => visibility === 'public') ??
        []
      const body = JSON.stringify({ sections: shown.map(serializeSection) })
      return sendWithEtag(request, reply, {
        body,
        // The team needs the tag that it sends in If-Match.
        etag: stored ? sectionsTag(stored.version) : etagOf(Buffer.from(body)),
        cacheControl: 'private, no-cache',
        headers: { vary: `Authorization, Cookie, X-API-Key, X-EEP-Payer-Wallet${varyOfReader(request)}` },
        conditional: !found.paid,
      })
    },
  )

  app.put(
    path,
    {
      config: routeConfig({
        auth: 'key',
        scope: 'write:profiles',
        tag: 'profiles',
        operationId: 'replaceSmartSections',
        summary: 'Replace the sections of a profile for types of agents',
        errors: [notProfileOwner, profileNotFound, staleSections],
      }),
      schema: { params: sectionParams, body: sectionsBody, response: { 200: sectionsAnswer } },
    },
    async (request, reply) => {
      const { params, body, headers } = request
      const caller = callerOf(request)
      const stored = await smartSections.replace(params.id, toSections(body), caller, headers['if-match'])
      reply.header('etag', sectionsTag(stored.version))
      return { sections: stored.sections.map(serializeSection) }
    },
  )
}
