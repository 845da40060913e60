import { z } from 'zod'
import { listQuery, paginationOf } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { activeProfileHeader, completionSchema, dashboardSchema, ownProfileBody } from './dashboard-schemas.ts'
import { toEdits } from './edits.ts'
import { noEditableFields, notProfileOwner, profileNotFound } from './errors.ts'
import type { MyProfiles } from './my-profiles.ts'
import { profileRecord } from './schemas.ts'
import { serializeDashboard } from './serialize.ts'
import type { ProfileService } from './service.ts'

export interface MeRoutesServices {
  readonly profiles: ProfileService
  readonly myProfiles: MyProfiles
}

/** Routes for the caller's own profiles. */
export function meRoutes(app: EepRoutes, { profiles, myProfiles }: MeRoutesServices): void {
  const tag = 'profiles'

  if (myProfiles.hasNumbers) dashboardRoutes(app, { profiles, myProfiles })

  app.get(
    '/profiles/:id/completion',
    {
      config: routeConfig({
        auth: 'bearer',
        appScope: 'read:profiles',
        tag,
        operationId: 'getProfileCompletion',
        summary: 'Get the missing parts of a profile of the caller',
        errors: [profileNotFound],
      }),
      schema: { params: z.object({ id: z.coerce.number().int().min(1) }), response: { 200: completionSchema } },
    },
    async (request) => {
      const { missing, count } = await myProfiles.completion(request.params.id, callerOf(request))
      return { missing: [...missing], count }
    },
  )

  app.get(
    '/manage/profile',
    {
      config: routeConfig({
        auth: 'bearer',
        appScope: 'read:profiles',
        tag,
        operationId: 'getActiveProfile',
        summary: 'Get the acting profile: the person of the account, or the one in X-Active-Profile-Id',
        errors: [profileNotFound, notProfileOwner],
      }),
      schema: { headers: activeProfileHeader, response: { 200: profileRecord } },
    },
    async (request) => {
      const caller = callerOf(request)
      const { type, username } = await myProfiles.acting(
        request.headers['x-active-profile-id'] ?? caller.profileId,
        caller,
      )
      return profiles.getRecord(type, username, caller)
    },
  )

  app.put(
    '/manage/profile',
    {
      config: routeConfig({
        auth: 'bearer',
        appScope: 'write:profiles',
        tag,
        operationId: 'updateActiveProfile',
        summary: 'Update the acting profile; fields that cannot be changed here are ignored',
        errors: [noEditableFields, profileNotFound, notProfileOwner],
      }),
      schema: { headers: activeProfileHeader, body: ownProfileBody, response: { 200: profileRecord } },
    },
    async (request) => {
      const caller = callerOf(request)
      const edits = toEdits(request.body)
      if (Object.keys(edits).length === 0) throw noEditableFields()
      const { id } = await myProfiles.acting(request.headers['x-active-profile-id'] ?? caller.profileId, caller)
      const { type, username } = await profiles.updateById(id, edits, caller)
      return profiles.getRecord(type, username, caller)
    },
  )
}

/** The dashboard of an account. */
function dashboardRoutes(
  app: EepRoutes,
  { profiles, myProfiles }: Pick<MeRoutesServices, 'profiles' | 'myProfiles'>,
): void {
  app.get(
    '/dashboard/profiles',
    {
      config: routeConfig({
        auth: 'bearer',
        appScope: 'read:profiles',
        tag: 'profiles',
        operationId: 'listOwnProfiles',
        summary: 'List the profiles of the caller and of its teams with their counts, its own first',
        errors: [invalidCursor],
      }),
      schema: { querystring: listQuery, response: { 200: dashboardSchema } },
    },
    async (request) => {
      const page = await myProfiles.list(request.query, callerOf(request))
      return {
        profiles: page.items.map((item) => serializeDashboard(item, profiles)),
        pagination: paginationOf(page),
      }
    },
  )
}
