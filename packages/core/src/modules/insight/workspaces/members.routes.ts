import { listQuery, listResponse } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { lastOwner, workspaceMemberNotFound, workspaceNotFound, workspacePermissionRequired } from './errors.ts'
import { granting, NO_STORE, reading, writing } from './route-configs.ts'
import {
  doneSchema,
  serializeWorkspaceMember,
  workspaceMemberParams,
  workspaceMembersSchema,
  workspaceParams,
  workspaceRoleBody,
} from './schemas.ts'
import type { WorkspaceService } from './service.ts'

const OF_MEMBER = [workspaceNotFound, workspacePermissionRequired, workspaceMemberNotFound, lastOwner]

/** Routes of the members of workspaces. */
export function workspaceMemberRoutes(
  app: EepRoutes,
  { workspaces: { members } }: { readonly workspaces: WorkspaceService },
): void {
  app.get(
    '/workspaces/:id/members',
    {
      config: reading({
        operationId: 'listWorkspaceMembers',
        summary: 'List the members of a workspace, oldest first',
        errors: [workspaceNotFound, invalidCursor],
      }),
      schema: { params: workspaceParams, querystring: listQuery, response: { 200: workspaceMembersSchema } },
    },
    async (request, reply) => {
      reply.headers(NO_STORE)
      const page = await members.list(request.params.id, request.query, callerOf(request))
      return listResponse(page, serializeWorkspaceMember)
    },
  )

  app.put(
    '/workspaces/:id/members/:memberId',
    {
      config: granting({
        operationId: 'updateWorkspaceMember',
        summary: 'Update the role of a member; only owners make and change owners',
        errors: OF_MEMBER,
      }),
      schema: { params: workspaceMemberParams, body: workspaceRoleBody, response: { 200: doneSchema } },
    },
    async (request) => {
      const { id, memberId } = request.params
      await members.setRole(id, memberId, request.body.role, callerOf(request))
      return { success: true as const }
    },
  )

  app.delete(
    '/workspaces/:id/members/:memberId',
    {
      config: writing({
        operationId: 'removeWorkspaceMember',
        summary: 'Remove a member from a workspace, or leave it',
        appScope: false,
        errors: OF_MEMBER,
      }),
      schema: { params: workspaceMemberParams, response: { 200: doneSchema } },
    },
    async (request) => {
      const { id, memberId } = request.params
      await members.remove(id, memberId, callerOf(request))
      return { success: true as const }
    },
  )
}
