import { listQuery } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { notProfileOwner, profileNotFound } from '../../profiles/profiles/index.ts'
import { memberNotFound, ownerCannotLeave } from './errors.ts'
import { doneSchema, memberParams, profileParams, roleBody, serializeTeam, teamSchema } from './schemas.ts'
import type { TeamService } from './service.ts'

const tag = 'teams'

/** Routes for members of a team. An API key can read and remove; granting roles needs a session. */
export function memberRoutes(app: EepRoutes, { teams: { members } }: { readonly teams: TeamService }): void {
  app.get(
    '/profiles/:id/team',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'read:profiles',
        appScope: false,
        tag,
        operationId: 'getTeam',
        summary: 'Get the team of a profile; owner and admins also see open invitations',
        errors: [profileNotFound, notProfileOwner, invalidCursor],
      }),
      schema: { params: profileParams, querystring: listQuery, response: { 200: teamSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'private, no-store')
      return serializeTeam(await members.get(request.params.id, request.query, callerOf(request)))
    },
  )

  app.put(
    '/profiles/:id/team/:memberId',
    {
      config: routeConfig({
        auth: 'bearer',
        tag,
        recent: 'sometimes',
        operationId: 'updateTeamMember',
        summary: 'Update the role of a member',
        errors: [profileNotFound, notProfileOwner, memberNotFound, ownerCannotLeave],
      }),
      schema: { params: memberParams, body: roleBody, response: { 200: doneSchema } },
    },
    async (request) => {
      const { id, memberId } = request.params
      await members.setRole(id, memberId, request.body.role, callerOf(request))
      return { success: true as const }
    },
  )

  app.delete(
    '/profiles/:id/team/:memberId',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'write:profiles',
        appScope: false,
        tag,
        recent: 'sometimes',
        operationId: 'removeTeamMember',
        summary: 'Remove a member from a team, or leave it',
        errors: [profileNotFound, notProfileOwner, memberNotFound, ownerCannotLeave],
      }),
      schema: { params: memberParams, response: { 200: doneSchema } },
    },
    async (request) => {
      const { id, memberId } = request.params
      await members.remove(id, memberId, callerOf(request))
      return { success: true as const }
    },
  )
}
