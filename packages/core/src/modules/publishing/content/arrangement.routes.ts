import { listResponse } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { notProfileOwner, profileNotFound } from '../../profiles/profiles/index.ts'
import { suggestedCategories } from './default-categories.ts'
import { categoryNotFound, invalidOrder, preconditionFailed, unknownCategory } from './errors.ts'
import { manageReading, manageWriting } from './page-responses.ts'
import { defaultCategoriesQuery, orderBody, slugQuery, slugRecord, succeeded, suggestionList } from './schemas.ts'
import type { ContentService } from './service.ts'
import { suggestSlug } from './slug.ts'

/** The order of content. */
export function orderRoutes(app: EepRoutes, { reorder }: ContentService): void {
  app.post(
    '/manage/reorder',
    {
      config: manageWriting({
        operationId: 'reorderContent',
        summary: 'Reorder all pages or all categories of one place',
        errors: [invalidOrder, unknownCategory, categoryNotFound, preconditionFailed, profileNotFound, notProfileOwner],
      }),
      schema: { body: orderBody, response: { 200: succeeded } },
    },
    async (request) => {
      const { kind, ids, profile_id: profileId, parent_id: parentId, previous_ids: previousIds } = request.body
      await reorder({ kind, ids, profileId, parentId, previousIds }, callerOf(request))
      return { success: true as const }
    },
  )
}

/** Suggestions for new content. */
export function arrangementRoutes(app: EepRoutes): void {
  app.get(
    '/manage/default-categories',
    {
      config: manageReading({
        operationId: 'listDefaultCategories',
        summary: 'List suggested categories for a profile type, without creating them',
      }),
      schema: { querystring: defaultCategoriesQuery, response: { 200: suggestionList } },
    },
    async (request) => {
      const items = suggestedCategories(request.query.profile_type)
      return listResponse({ items, total: items.length }, (suggestion) => suggestion)
    },
  )

  app.get(
    '/manage/slug-preview',
    {
      config: manageReading({ operationId: 'previewSlug', summary: 'Preview the slug of a title' }),
      schema: { querystring: slugQuery, response: { 200: slugRecord } },
    },
    async (request) => ({ slug: suggestSlug(request.query.title, 'page') }),
  )
}
