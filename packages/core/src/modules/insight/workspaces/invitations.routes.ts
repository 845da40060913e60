import { listQuery, listResponse } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import {
  accountNotFound,
  INVITATION_ANSWER_ERRORS,
  invitationNotFound,
  tokenParams,
  tooManyEmails,
} from '../../people/teams/index.ts'
import { alreadyWorkspaceMember, workspaceFull, workspaceNotFound, workspacePermissionRequired } from './errors.ts'
import type { WorkspaceInvite } from './invitations.ts'
import { granting, NO_STORE, reading, writing } from './route-configs.ts'
import {
  doneSchema,
  serializeWorkspace,
  serializeWorkspaceInvitation,
  workspaceInvitationSchema,
  workspaceInvitationsSchema,
  workspaceInviteBody,
  workspaceInviteParams,
  workspaceParams,
  workspaceSchema,
} from './schemas.ts'
import type { WorkspaceService } from './service.ts'

/** Routes of invitations to workspaces. */
export function workspaceInvitationRoutes(
  app: EepRoutes,
  { workspaces: { invitations } }: { readonly workspaces: WorkspaceService },
): void {
  app.post(
    '/workspaces/:id/invites',
    {
      config: granting({
        operationId: 'createWorkspaceInvite',
        summary: 'Invite a person by email address or username for seven days',
        errors: [
          workspaceNotFound,
          workspacePermissionRequired,
          accountNotFound,
          alreadyWorkspaceMember,
          workspaceFull,
          tooManyEmails,
        ],
      }),
      schema: { params: workspaceParams, body: workspaceInviteBody, response: { 201: workspaceInvitationSchema } },
    },
    async (request, reply) => {
      // The schema ensures that one of the two is present.
      const invite = request.body as WorkspaceInvite
      const invitation = await invitations.invite(request.params.id, invite, callerOf(request))
      reply.code(201)
      return serializeWorkspaceInvitation(invitation)
    },
  )

  app.get(
    '/workspaces/:id/invites',
    {
      config: reading({
        operationId: 'listWorkspaceInvites',
        summary: 'List the open invitations to a workspace, oldest first; requires permission to invite',
        errors: [workspaceNotFound, workspacePermissionRequired, invalidCursor],
      }),
      schema: { params: workspaceParams, querystring: listQuery, response: { 200: workspaceInvitationsSchema } },
    },
    async (request, reply) => {
      reply.headers(NO_STORE)
      const page = await invitations.list(request.params.id, request.query, callerOf(request))
      return listResponse(page, serializeWorkspaceInvitation)
    },
  )

  app.delete(
    '/workspaces/:id/invites/:inviteId',
    {
      config: writing({
        operationId: 'deleteWorkspaceInvite',
        summary: 'Revoke an invitation to a workspace',
        appScope: false,
        errors: [workspaceNotFound, workspacePermissionRequired, invitationNotFound],
      }),
      schema: { params: workspaceInviteParams, response: { 200: doneSchema } },
    },
    async (request) => {
      const { id, inviteId } = request.params
      await invitations.withdraw(id, inviteId, callerOf(request))
      return { success: true as const }
    },
  )

  app.get(
    '/workspaces/invites',
    {
      config: granting({
        operationId: 'listMyWorkspaceInvites',
        summary: 'List the open invitations of the caller to workspaces, oldest first',
        errors: [invalidCursor],
      }),
      schema: { querystring: listQuery, response: { 200: workspaceInvitationsSchema } },
    },
    async (request, reply) => {
      reply.headers(NO_STORE)
      return listResponse(await invitations.listMine(callerOf(request), request.query), serializeWorkspaceInvitation)
    },
  )

  app.post(
    '/workspaces/invites/:token/accept',
    {
      config: granting({
        operationId: 'acceptWorkspaceInvite',
        summary: 'Accept an invitation and join the workspace',
        secrets: ['token'],
        errors: [...INVITATION_ANSWER_ERRORS, alreadyWorkspaceMember],
      }),
      schema: { params: tokenParams, response: { 200: workspaceSchema } },
    },
    async (request) => serializeWorkspace(await invitations.accept(request.params.token, callerOf(request))),
  )

  app.post(
    '/workspaces/invites/:token/reject',
    {
      config: granting({
        operationId: 'rejectWorkspaceInvite',
        summary: 'Decline an invitation to a workspace',
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
