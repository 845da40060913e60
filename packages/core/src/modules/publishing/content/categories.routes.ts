import { listResponse } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { notProfileOwner, type ProfileService, profileNotFound } from '../../profiles/profiles/index.ts'
import {
  categoryCycle,
  categoryNotEmpty,
  categoryNotFound,
  categoryTooDeep,
  gatePermissionRequired,
  slugTaken,
  tooManyCategories,
  unknownCategory,
} from './errors.ts'
import { manageReading, manageWriting } from './page-responses.ts'
import {
  categoryChangesBody,
  categoryList,
  categoryRecord,
  deleteCategoryQuery,
  idParams,
  newCategoryBody,
  profileQuery,
  succeeded,
} from './schemas.ts'
import { serializeCategory, serializeCategoryTree } from './serialize.ts'
import type { ContentService } from './service.ts'

const OF_CATEGORY = [categoryNotFound, notProfileOwner]
const OF_PLACE = [unknownCategory, slugTaken, categoryTooDeep]

/** The categories of a profile, for its team. */
export function categoryRoutes(app: EepRoutes, { categories }: ContentService, profiles: ProfileService): void {
  const record = serializeCategory(profiles)
  const serializeTree = serializeCategoryTree(profiles)

  app.get(
    '/manage/categories',
    {
      config: manageReading({
        operationId: 'listCategories',
        summary: 'List the categories of a profile as a tree with page counts',
        errors: [profileNotFound, notProfileOwner],
      }),
      schema: { querystring: profileQuery, response: { 200: categoryList } },
    },
    async (request) => {
      const { roots, total } = await categories.tree(request.query.profile_id, callerOf(request))
      return listResponse({ items: roots, total }, serializeTree)
    },
  )

  app.post(
    '/manage/categories',
    {
      config: manageWriting({
        operationId: 'createCategory',
        summary: 'Create a category',
        errors: [profileNotFound, notProfileOwner, ...OF_PLACE, tooManyCategories],
      }),
      schema: { body: newCategoryBody, response: { 201: categoryRecord } },
    },
    async (request, reply) => {
      const {
        profile_id: profileId,
        parent_id: parentId = null,
        description = null,
        icon = null,
        ...draft
      } = request.body
      reply.code(201)
      return record(await categories.create({ profileId, parentId, description, icon, ...draft }, callerOf(request)))
    },
  )

  app.get(
    '/manage/categories/:id',
    {
      config: manageReading({ operationId: 'getCategory', summary: 'Get a category', errors: OF_CATEGORY }),
      schema: { params: idParams, response: { 200: categoryRecord } },
    },
    async (request) => record(await categories.get(request.params.id, callerOf(request))),
  )

  app.put(
    '/manage/categories/:id',
    {
      config: manageWriting({
        operationId: 'updateCategory',
        summary: 'Update a category; its content moves with it',
        errors: [...OF_CATEGORY, ...OF_PLACE, categoryCycle, gatePermissionRequired],
      }),
      schema: { params: idParams, body: categoryChangesBody, response: { 200: categoryRecord } },
    },
    async (request) => {
      const { parent_id: parentId, ...fields } = request.body
      return record(await categories.update(request.params.id, { parentId, ...fields }, callerOf(request)))
    },
  )

  app.delete(
    '/manage/categories/:id',
    {
      config: manageWriting({
        operationId: 'deleteCategory',
        summary: 'Delete a category; `cascade` deletes its content too',
        errors: [...OF_CATEGORY, categoryNotEmpty],
      }),
      schema: { params: idParams, querystring: deleteCategoryQuery, response: { 200: succeeded } },
    },
    async (request) => {
      await categories.delete(request.params.id, callerOf(request), request.query)
      return { success: true as const }
    },
  )
}
