import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { posterNotFound, postNotFound } from './errors.ts'
import type { ModerationService } from './moderation.ts'
import { hiddenBody, hiddenSchema, postingBody, postingParams, postingSchema, postParams } from './schemas.ts'

/** Routes for administrators. */
export function moderationRoutes(app: EepRoutes, moderation: ModerationService): void {
  const shared = { auth: 'admin', tag: 'admin' } as const

  app.put(
    '/admin/feed/:id',
    {
      config: routeConfig({
        ...shared,
        operationId: 'updatePostVisibility',
        summary: 'Set whether a post is hidden from everyone',
        errors: [postNotFound],
      }),
      schema: { params: postParams, body: hiddenBody, response: { 200: hiddenSchema } },
    },
    async (request) => {
      const { id } = request.params
      const { hidden } = request.body
      await moderation.setHidden(id, hidden, callerOf(request))
      return { id, hidden }
    },
  )

  app.put(
    '/admin/users/:id/posting',
    {
      config: routeConfig({
        ...shared,
        operationId: 'updateUserPosting',
        summary: 'Set whether an account may post',
        errors: [posterNotFound],
      }),
      schema: { params: postingParams, body: postingBody, response: { 200: postingSchema } },
    },
    async (request) => {
      const { id } = request.params
      const { open } = request.body
      await moderation.setPosting(id, open, callerOf(request))
      return { account_id: id, open }
    },
  )
}
