import { listQuery, listResponse } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { notProfileOwner, profileNotFound } from '../../profiles/profiles/index.ts'
import {
  accountNotFound,
  alreadyMember,
  emailNotConfirmed,
  invitationNotFound,
  invitationNotYours,
  teamFull,
  tooManyEmails,
} from './errors.ts'
import { tokenParams } from './invitation-schemas.ts'
import type { Invite } from './invitations.ts'
import {
  doneSchema,
  invitationSchema,
  invitationsSchema,
  inviteBody,
  inviteParams,
  joinedSchema,
  profileNameOf,
  profileParams,
  serializeInvitation,
} from './schemas.ts'
import type { TeamService } from './service.ts'

const tag = 'teams'

/** The errors of routes that answer an invitation. */
export const INVITATION_ANSWER_ERRORS = [invitationNotFound, invitationNotYours, emailNotConfirmed] as const

/** Routes of invitations. */
export function invitationRoutes(app: EepRoutes, { teams: { invitations } }: { readonly teams: TeamService }): void {
  app.post(
    '/profiles/:id/team/invites',
    {
      config: routeConfig({
        auth: 'bearer',
        tag,
        recent: 'sometimes',
        operationId: 'createTeamInvite',
        summary: 'Invite a person by email address or username for seven days',
        errors: [profileNotFound, notProfileOwner, accountNotFound, alreadyMember, teamFull, tooManyEmails],
      }),
      schema: { params: profileParams, body: inviteBody, response: { 201: invitationSchema } },
    },
    async (request, reply) => {
      // The schema ensures that one of the two is present.
      const invite = request.body as Invite
      const invitation = await invitations.invite(request.params.id, invite, callerOf(request))
      reply.code(201)
      return serializeInvitation(invitation)
    },
  )

  app.delete(
    '/profiles/:id/team/invites/:inviteId',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'write:profiles',
        appScope: false,
        tag,
        operationId: 'deleteTeamInvite',
        summary: 'Revoke an invitation',
        errors: [profileNotFound, notProfileOwner, invitationNotFound],
      }),
      schema: { params: inviteParams, response: { 200: doneSchema } },
    },
    async (request) => {
      const { id, inviteId } = request.params
      await invitations.withdraw(id, inviteId, callerOf(request))
      return { success: true as const }
    },
  )

  app.get(
    '/team/invites',
    {
      config: routeConfig({
        auth: 'bearer',
        tag,
        operationId: 'listTeamInvites',
        summary: 'List the open invitations of the caller and its verified email address, oldest first',
        errors: [invalidCursor],
      }),
      schema: { querystring: listQuery, response: { 200: invitationsSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'private, no-store')
      return listResponse(await invitations.listMine(callerOf(request), request.query), serializeInvitation)
    },
  )

  app.post(
    '/team/invites/:token/accept',
    {
      config: routeConfig({
        auth: 'bearer',
        tag,
        operationId: 'acceptTeamInvite',
        summary: 'Accept an invitation and join the team',
        secrets: ['token'],
        errors: [...INVITATION_ANSWER_ERRORS, alreadyMember],
      }),
      schema: { params: tokenParams, response: { 200: joinedSchema } },
    },
    async (request) => {
      const { profile, role } = await invitations.accept(request.params.token, callerOf(request))
      return { profile: profileNameOf(profile), role }
    },
  )

  app.post(
    '/team/invites/:token/reject',
    {
      config: routeConfig({
        auth: 'bearer',
        tag,
        operationId: 'rejectTeamInvite',
        summary: 'Decline an invitation',
        secrets: ['token'],
        errors: INVITATION_ANSWER_ERRORS,
      }),
      schema: { params: tokenParams, response: { 200: doneSchema } },
    },
    async (request) => {
      await invitations.reject(request.params.token, callerOf(request))
      return { success: true as const }
    },
  )
}
