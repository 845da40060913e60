import { z } from 'zod'
import { MEDIA_TYPES } from '../../../http/documents/negotiation.ts'
import { writePage } from '../../../http/html/page.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import type { PagePreviewLink } from '../../../ports/storage/page-previews.ts'
import { emailNotVerified, notProfileOwner, type ProfileService } from '../../profiles/profiles/index.ts'
import {
  gatePermissionRequired,
  nothingToPreview,
  pageNotFound,
  previewLinkNotFound,
  tooManyPreviewLinks,
} from './errors.ts'
import { manage } from './page-responses.ts'
import { draftHtml } from './preview-html.ts'
import { idParams, succeeded } from './schemas.ts'
import type { ContentService } from './service.ts'

const PREVIEW = '/preview/:token'

const linkFields = z.object({
  id: z.int(),
  created_by: z.string().describe('The account that made it'),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
})
const linkRecord = linkFields.meta({ id: 'PreviewLink' })
const madeLink = linkFields
  .extend({ url: z.string().describe('Anyone who has it can read the draft. Only this response has it') })
  .meta({ id: 'CreatedPreviewLink' })
const linkList = z.object({ data: z.array(linkRecord) }).meta({ id: 'PreviewLinkList' })
const linkParams = idParams.extend({ linkId: idParams.shape.id })
const tokenParams = z.object({ token: z.string().min(1).max(64) })

const serialize = ({ id, createdBy, createdAt, expiresAt }: PagePreviewLink) => ({
  id,
  created_by: createdBy,
  created_at: createdAt.toISOString(),
  expires_at: expiresAt.toISOString(),
})

const OF_PAGE = [pageNotFound, notProfileOwner]

/** Links with which people without an account read drafts. */
export function previewLinkRoutes(
  app: EepRoutes,
  { previewLinks }: ContentService,
  { publicUrl }: Pick<ProfileService, 'publicUrl'>,
): void {
  app.post(
    '/manage/pages/:id/preview-links',
    {
      config: manage({
        operationId: 'createPreviewLink',
        summary: 'Create a link with which anyone can read a draft for seven days',
        errors: [...OF_PAGE, emailNotVerified, nothingToPreview, gatePermissionRequired, tooManyPreviewLinks],
      }),
      schema: { params: idParams, response: { 201: madeLink } },
    },
    async (request, reply) => {
      const { link, token } = await previewLinks.create(request.params.id, callerOf(request))
      reply.code(201).header('cache-control', 'private, no-store')
      return { ...serialize(link), url: `${publicUrl}/preview/${token}` }
    },
  )

  app.get(
    '/manage/pages/:id/preview-links',
    {
      config: manage({
        operationId: 'listPreviewLinks',
        summary: 'List the preview links of a page, newest first; at most 20',
        errors: OF_PAGE,
      }),
      schema: { params: idParams, response: { 200: linkList } },
    },
    async (request) => ({ data: (await previewLinks.list(request.params.id, callerOf(request))).map(serialize) }),
  )

  app.delete(
    '/manage/pages/:id/preview-links/:linkId',
    {
      config: manage({
        operationId: 'deletePreviewLink',
        summary: 'Revoke a preview link of a page',
        errors: [...OF_PAGE, previewLinkNotFound],
      }),
      schema: { params: linkParams, response: { 200: succeeded } },
    },
    async (request) => {
      await previewLinks.delete(request.params.id, request.params.linkId, callerOf(request))
      return { success: true as const }
    },
  )

  app.get(
    PREVIEW,
    {
      config: routeConfig({
        auth: 'none',
        tag: 'content',
        operationId: 'readPreview',
        summary: 'Get a draft by its preview link, as an HTML page',
        secrets: ['token'],
        errors: [previewLinkNotFound],
        produces: ['text/html'],
      }),
      schema: { params: tokenParams, response: { 200: z.string() } },
    },
    async (request, reply) => {
      const draft = await previewLinks.open(request.params.token)
      const page = await writePage(draftHtml(draft, request.eep.site), request.eep.site, { alternates: [] })
      // Sites that the draft links to do not get its address.
      reply.headers({
        ...page.headers,
        'cache-control': 'private, no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      })
      return reply.type(MEDIA_TYPES.html).send(page.markup)
    },
  )
}
