import { z } from 'zod'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { notProfileOwner, profileNotFound } from '../../profiles/profiles/index.ts'
import { previewBusy } from './errors.ts'
import { markdownBody, newPageBody, PAGE_REQUEST_BYTES } from './schemas.ts'
import type { ContentService } from './service.ts'

const previewBody = z.strictObject({
  profile_id: newPageBody.shape.profile_id,
  body: markdownBody,
  title: newPageBody.shape.title
    .optional()
    .describe('The title of the page. A first heading with the same text is left out, as on the page. Default: none'),
})

const textPreview = z
  .object({ html: z.string().describe('The text as the page has it, below its title') })
  .meta({ id: 'TextPreview' })

/** The preview of a text that is being written. */
export function previewRoutes(app: EepRoutes, { previews }: ContentService): void {
  app.post(
    '/manage/preview',
    {
      bodyLimit: PAGE_REQUEST_BYTES,
      config: routeConfig({
        auth: 'key',
        scope: 'write:content',
        limit: 'previews',
        tag: 'content',
        operationId: 'previewText',
        summary: 'Preview a text as a page would show it',
        readsOnly: true,
        errors: [profileNotFound, notProfileOwner, previewBusy],
      }),
      schema: {
        body: previewBody,
        response: { 200: textPreview },
      },
    },
    async (request, reply) => {
      const { profile_id: profileId, body, title } = request.body
      reply.header('cache-control', 'private, no-store')
      return { html: await previews.render({ profileId, body, title }, callerOf(request), request.eep.site) }
    },
  )
}
