import { z } from 'zod'
import { sendDocument } from '../../http/document.ts'
import { DOCUMENT_TYPES, formatQuery, invalidFormat } from '../../http/negotiation.ts'
import { type EepRoutes, facts } from '../../http/routes.ts'
import { profileMoved, profileNotFound } from './errors.ts'
import { PREFIX_BY_TYPE, PROFILE_TYPES } from './profile-type.ts'
import { profileRecord, usernameParams } from './schemas.ts'
import type { ProfileService } from './service.ts'

/** The public address of a profile of each type. */
export function publicRoutes(app: EepRoutes, profiles: ProfileService): void {
  for (const type of PROFILE_TYPES) {
    app.get(
      `/${PREFIX_BY_TYPE[type]}/:username`,
      {
        config: facts({
          auth: 'none',
          scope: 'read:profiles',
          tag: 'public reads',
          summary: 'A public profile as Markdown, JSON or TOON',
          errors: [profileNotFound, profileMoved, invalidFormat],
          produces: DOCUMENT_TYPES,
        }),
        schema: {
          params: usernameParams,
          querystring: formatQuery,
          response: { 200: profileRecord, 304: z.undefined() },
        },
      },
      async (request, reply) => {
        const { document } = await profiles.getPublic(type, request.params.username, request.eep.caller)
        return sendDocument(request, reply, document)
      },
    )
  }
}
