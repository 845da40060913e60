import { z } from 'zod'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { PREFIX_BY_TYPE, type ProfileType } from '../../../model/profile-type.ts'
import type { TypeData } from '../../../model/type-data/index.ts'
import { typeOf } from './address.ts'
import type { ProfileUpdate } from './editing.ts'
import { toEdits } from './edits.ts'
import {
  emailNotVerified,
  notProfileOwner,
  profileMoved,
  profileNotFound,
  tooManyDeletedProfiles,
  tooManyNames,
  unknownFile,
  usernameReserved,
  usernameTaken,
} from './errors.ts'
import { type MeRoutesServices, meRoutes } from './me.routes.ts'
import { mergeTypeData } from './merge-type-data.ts'
import { profileResourceRoutes } from './profile-resources.routes.ts'
import { resolveRoutes } from './resolve.routes.ts'
import { schemaRoutes } from './schemas.routes.ts'
import {
  checkUsernameQuery,
  newProfileBody,
  type ProfileChangesBody,
  profileChangesBody,
  profileParams,
  profileRecord,
} from './schemas.ts'

/** The changes of a body. `type_data` is validated by the type in the path. */
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
  /** The DID document of the service itself. */
  readonly serviceDidDocument: () => JsonObject
}

/** Routes of profiles. */
export function profileRoutes(
  app: EepRoutes,
  services: MeRoutesServices,
  { typeData, serviceDidDocument }: ProfileRoutesOptions,
): void {
  const { profiles } = services
  const tag = 'profiles'
  const path = '/profiles/:prefix/:username'

  app.post(
    '/profiles',
    {
      config: routeConfig({
        auth: 'bearer',
        appScope: 'write:profiles',
        tag,
        operationId: 'createProfile',
        summary: 'Create a profile',
        errors: [usernameTaken, usernameReserved, tooManyDeletedProfiles],
      }),
      schema: {
        body: newProfileBody(typeData, profiles.publicUrl),
        response: {
          200: z
            .object({
              success: z.literal(true),
              username: z.string(),
              id: z.int(),
              url: z.url().describe('The page of the profile; `Location` has the address of its record'),
            })
            .meta({ id: 'CreatedProfile' }),
        },
      },
    },
    async (request, reply) => {
      const { profile_type: type, username } = request.body
      const { id } = await profiles.create({ ...toEdits(request.body), type, username }, callerOf(request))
      const address = `${PREFIX_BY_TYPE[type]}/${username}`
      reply.header('location', `${request.eep.basePath}/profiles/${address}`)
      return { success: true as const, username, id, url: `${profiles.publicUrl}/${address}` }
    },
  )

  app.put(
    path,
    {
      config: routeConfig({
        auth: 'bearer',
        appScope: 'write:profiles',
        tag,
        operationId: 'updateProfile',
        summary: 'Update fields of a profile and members of `type_data`; its owner may rename it',
        errors: [
          emailNotVerified,
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
      config: routeConfig({
        auth: 'bearer',
        tag,
        recent: true,
        operationId: 'deleteProfile',
        summary: 'Delete a profile permanently',
        errors: [notProfileOwner, profileNotFound, profileMoved],
      }),
      schema: {
        params: profileParams,
        response: { 200: z.object({ success: z.literal(true), message: z.string() }).meta({ id: 'Confirmation' }) },
      },
    },
    async (request) => {
      const { prefix, username } = request.params
      await profiles.delete(typeOf(prefix), username, callerOf(request))
      return { success: true as const, message: `The profile /${prefix}/${username} was deleted` }
    },
  )

  app.get(
    '/check-username',
    {
      config: routeConfig({
        auth: 'none',
        tag,
        operationId: 'checkUsername',
        summary: 'Check whether a username is available',
      }),
      schema: {
        querystring: checkUsernameQuery,
        response: { 200: z.object({ available: z.boolean() }).meta({ id: 'UsernameAvailability' }) },
      },
    },
    async (request, reply) => {
      const { username, type } = request.query
      reply.header('cache-control', 'no-store')
      return { available: await profiles.checkUsername(username, type) }
    },
  )

  profileResourceRoutes(app, profiles)
  schemaRoutes(app, profiles.publicUrl, typeData)
  meRoutes(app, services)
  resolveRoutes(app, profiles, serviceDidDocument)
}
