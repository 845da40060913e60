import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { callerOf } from '../../http/request-context.ts'
import { type EepRoutes, facts } from '../../http/routes.ts'
import { sendTagged } from '../../http/tagged-answer.ts'
import { isEepError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { TierTable } from '../accounts/index.ts'
import { GATE_ERRORS, type GateService } from '../gates/index.ts'
import { typeOf } from './address.ts'
import { capabilityQueryRoutes } from './capability-query.routes.ts'
import type { ProfileUpdate } from './editing.ts'
import { toEdits } from './edits.ts'
import {
  notProfileOwner,
  profileMoved,
  profileNotFound,
  tooManyNames,
  unknownFile,
  usernameReserved,
  usernameTaken,
} from './errors.ts'
import { openProfile } from './open-profile.ts'
import { type OwnRoutesServices, ownRoutes } from './own.routes.ts'
import type { ProfileType } from './profile-type.ts'
import { publicRoutes } from './public.routes.ts'
import { resolveRoutes } from './resolve.routes.ts'
import { schemaRoutes } from './schemas.routes.ts'
import {
  checkUsernameQuery,
  newProfileBody,
  type ProfileChangesBody,
  profileChangesBody,
  profileParams,
  profileRecord,
  recordQuery,
} from './schemas.ts'
import { siblingRoutes } from './siblings.routes.ts'
import { traitRoutes } from './traits.routes.ts'
import type { TypeData } from './type-data/index.ts'
import { mergeTypeData } from './type-data/merge.ts'

/** What a body changes. `type_data` is checked by the type that the path names. */
function editsOf(
  typeData: TypeData,
  type: ProfileType,
  { type_data: changes, files_to_delete: files = [], username, ...fields }: ProfileChangesBody,
): ProfileUpdate {
  return {
    ...toEdits(fields),
    username,
    filesToDelete: [...new Set(files)],
    ...(changes && { typeDataFrom: (stored) => mergeTypeData(typeData[type], stored, changes) }),
  }
}

export interface ProfileRoutesOptions {
  readonly typeData: TypeData
  /** What an account of a tier may have. */
  readonly tierFacts: TierTable
}

/** Profiles: making, reading, changing and removing them, by their owners and by everybody. */
export function profileRoutes(
  app: EepRoutes,
  services: OwnRoutesServices & {
    readonly gates: GateService
    readonly discovery: { readonly didDocument: () => JsonObject }
  },
  { typeData, tierFacts }: ProfileRoutesOptions,
): void {
  const { profiles, discovery } = services
  const tag = 'profiles'
  const path = '/profiles/:prefix/:username'

  app.post(
    '/profiles',
    {
      config: facts({ auth: 'bearer', tag, summary: 'Make a profile', errors: [usernameTaken, usernameReserved] }),
      schema: {
        body: newProfileBody(typeData, profiles.publicUrl),
        response: { 200: z.object({ success: z.literal(true), username: z.string() }) },
      },
    },
    async (request) => {
      const { profile_type: type, username } = request.body
      await profiles.create({ ...toEdits(request.body), type, username }, callerOf(request))
      return { success: true as const, username }
    },
  )

  app.get(
    path,
    {
      config: facts({
        auth: 'none',
        scope: 'read:profiles',
        tag,
        summary: 'A profile as JSON; its owner also sees its email address',
        errors: [profileNotFound, profileMoved, ...GATE_ERRORS],
      }),
      schema: {
        params: profileParams,
        querystring: recordQuery,
        response: { 200: profileRecord, 304: z.undefined() },
      },
    },
    async (request, reply) => {
      const { prefix, username } = request.params
      const { caller } = request.eep
      const known = await profiles.getPublic(typeOf(prefix), username, caller)
      const found = await openProfile(request, reply, services, known, request.query.fields)
      if (isEepError(found)) return (reply as FastifyReply).send(found)
      const isOwner = (await profiles.roleOf(known.profile, caller)) === 'owner'
      const body = isOwner ? { ...found.document.data, email: known.profile.email } : found.document.data
      const headers = { 'eep-entity-did': profiles.didOf(known.profile) }
      return sendTagged(request, reply, { body, headers, cacheControl: 'private, no-cache', conditional: !found.paid })
    },
  )

  app.put(
    path,
    {
      config: facts({
        auth: 'bearer',
        tag,
        summary: 'Change the named fields of a profile, and the named members of `type_data`; its owner may rename it',
        errors: [
          notProfileOwner,
          profileNotFound,
          profileMoved,
          unknownFile,
          usernameTaken,
          usernameReserved,
          tooManyNames,
        ],
      }),
      schema: { params: profileParams, body: profileChangesBody, response: { 200: profileRecord } },
    },
    async (request) => {
      const { prefix, username } = request.params
      const type = typeOf(prefix)
      const caller = callerOf(request)
      const saved = await profiles.update(type, username, editsOf(typeData, type, request.body), caller)
      return profiles.getRecord(type, saved.username, caller)
    },
  )

  app.delete(
    path,
    {
      config: facts({
        auth: 'bearer',
        tag,
        summary: 'Remove a profile for good',
        errors: [notProfileOwner, profileNotFound, profileMoved],
      }),
      schema: { params: profileParams, response: { 200: z.object({ success: z.literal(true), message: z.string() }) } },
    },
    async (request) => {
      const { prefix, username } = request.params
      await profiles.delete(typeOf(prefix), username, callerOf(request))
      return { success: true as const, message: `The profile /${prefix}/${username} is gone` }
    },
  )

  app.get(
    '/check-username',
    {
      config: facts({ auth: 'none', tag, summary: 'Whether a username is free' }),
      schema: { querystring: checkUsernameQuery, response: { 200: z.object({ available: z.boolean() }) } },
    },
    async (request, reply) => {
      const { username, type } = request.query
      reply.header('cache-control', 'no-store')
      return { available: await profiles.checkUsername(username, type) }
    },
  )

  publicRoutes(app, services)
  siblingRoutes(app, profiles)
  schemaRoutes(app, profiles.publicUrl, typeData)
  ownRoutes(app, services, tierFacts)
  traitRoutes(app, services)
  capabilityQueryRoutes(app, services)
  resolveRoutes(app, profiles, discovery.didDocument)
}
