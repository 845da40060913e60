import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { DOCUMENT_TYPES, invalidFormat } from '../../../http/documents/negotiation.ts'
import { addAtEachPrefix } from '../../../http/documents/profile-addresses.ts'
import { sendDocument } from '../../../http/documents/public-document.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { GATE_ERRORS, type Paywall, purchasesOfVisitor } from '../../access/paywall/index.ts'
import {
  type ProfileService,
  profileDeleted,
  profileMoved,
  profileNotFound,
  profileQuery,
  profileRecord,
  usernameParams,
} from '../../profiles/profiles/index.ts'
import { dependsOnType, type ProfileParts, partKeys, partReaderOf, withAgentType } from './agent-type.ts'
import { openProfile } from './open-profile.ts'

export interface PublicReadServices {
  readonly profiles: ProfileService
  readonly paywall: Paywall
}

/** The public address of a profile of each type. */
export function publicRoutes(app: EepRoutes, services: PublicReadServices, parts: ProfileParts): void {
  const { profiles } = services

  addAtEachPrefix('', ({ type, path, family }) => {
    app.get(
      path,
      {
        config: routeConfig({
          family,
          auth: 'none',
          scope: 'read:profiles',
          tag: 'public reads',
          operationId: 'getProfile',
          summary:
            'Get a public profile as Markdown, JSON or TOON; gated fields are left out, and return 402 when requested',
          errors: [profileNotFound, profileDeleted, profileMoved, invalidFormat, ...GATE_ERRORS],
          produces: DOCUMENT_TYPES,
        }),
        schema: {
          params: usernameParams,
          ...withAgentType(profileQuery(partKeys(parts)), dependsOnType(parts)),
          response: { 200: profileRecord, 304: z.undefined() },
        },
      },
      async (request, reply) => {
        const known = await profiles.byAddress.getDocument(type, request.params.username, request.eep.caller)
        const found = await openProfile(request, reply, services, known, request.query.fields)
        if (isEepError(found)) return (reply as FastifyReply).send(found)
        const reader = await partReaderOf(request, known, profiles)
        const document = found.documentFor(reader)
        const restricted = found.restricted || reader.isTeam
        const { id: profileId, ownerAccountId: accountId } = known.profile
        const shared = {
          dependsOn: { profileId, accountId },
          // Not before the document was written: a part of it may fail.
          get until() {
            return known.until
          },
          visit: found.visit,
        }
        const held = () => purchasesOfVisitor(request, services.paywall, profileId)
        return sendDocument(request, reply, document, { conditional: !found.paid, restricted, shared, held })
      },
    )
  })
}
