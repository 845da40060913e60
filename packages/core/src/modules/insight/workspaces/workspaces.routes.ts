import { listQuery, listResponse } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { forbidden } from '../../../kernel/errors.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { tooManyWorkspaces, workspaceNotFound, workspacePermissionRequired, workspaceSlugTaken } from './errors.ts'
import { NO_STORE, reading, writing } from './route-configs.ts'
import {
  activitySchema,
  doneSchema,
  newWorkspaceBody,
  serializeActivity,
  serializeWorkspace,
  workspaceChangesBody,
  workspaceParams,
  workspaceSchema,
  workspacesSchema,
} from './schemas.ts'
import type { WorkspaceService } from './service.ts'

/** Routes of workspaces themselves. */
export function workspaceCrudRoutes(app: EepRoutes, { workspaces }: { readonly workspaces: WorkspaceService }): void {
  app.post(
    '/workspaces',
    {
      config: writing({
        operationId: 'createWorkspace',
        summary: 'Create a private workspace that the caller owns',
        errors: [workspaceSlugTaken, tooManyWorkspaces, forbidden],
      }),
      schema: { body: newWorkspaceBody, response: { 201: workspaceSchema } },
    },
    async (request, reply) => {
      const { description = null, ...draft } = request.body
      const created = await workspaces.create({ ...draft, description }, callerOf(request))
      reply.code(201)
      return serializeWorkspace(created)
    },
  )

  app.get(
    '/workspaces',
    {
      config: reading({
        operationId: 'listWorkspaces',
        summary: 'List the workspaces in which the caller has a role, oldest first',
        errors: [invalidCursor],
      }),
      schema: { querystring: listQuery, response: { 200: workspacesSchema } },
    },
    async (request, reply) => {
      reply.headers(NO_STORE)
      return listResponse(await workspaces.list(request.query, callerOf(request)), serializeWorkspace)
    },
  )

  app.get(
    '/workspaces/:id',
    {
      config: reading({ operationId: 'getWorkspace', summary: 'Get a workspace', errors: [workspaceNotFound] }),
      schema: { params: workspaceParams, response: { 200: workspaceSchema } },
    },
    async (request, reply) => {
      reply.headers(NO_STORE)
      return serializeWorkspace(await workspaces.get(request.params.id, callerOf(request)))
    },
  )

  app.put(
    '/workspaces/:id',
    {
      config: writing({
        operationId: 'updateWorkspace',
        summary: 'Update the name, slug or description of a workspace; only owners change the slug',
        errors: [workspaceNotFound, workspacePermissionRequired, workspaceSlugTaken],
      }),
      schema: { params: workspaceParams, body: workspaceChangesBody, response: { 200: workspaceSchema } },
    },
    async (request) => serializeWorkspace(await workspaces.update(request.params.id, request.body, callerOf(request))),
  )

  app.delete(
    '/workspaces/:id',
    {
      config: writing({
        operationId: 'deleteWorkspace',
        summary: 'Delete a workspace with everything in it',
        errors: [workspaceNotFound, workspacePermissionRequired],
      }),
      schema: { params: workspaceParams, response: { 200: doneSchema } },
    },
    async (request) => {
      await workspaces.delete(request.params.id, callerOf(request))
      return { success: true as const }
    },
  )

  app.get(
    '/workspaces/:id/activity',
    {
      config: reading({
        operationId: 'listWorkspaceActivity',
        summary: 'List the activity of a workspace, newest first; the last 1,000 changes are kept',
        errors: [workspaceNotFound, invalidCursor],
      }),
      schema: { params: workspaceParams, querystring: listQuery, response: { 200: activitySchema } },
    },
    async (request, reply) => {
      reply.headers(NO_STORE)
      const page = await workspaces.activity.list(request.params.id, request.query, callerOf(request))
      return listResponse(page, serializeActivity)
    },
  )
}
