import { z } from 'zod'
import { type ProfileVisit, type Screen, screenAction } from '../../../../framework/module/screen.ts'
import { html } from '../../../../http/html/html.ts'
import { fileQuotaReached, invalidTransition } from '../../../../kernel/errors.ts'
import { line } from '../../../../kernel/text-fields.ts'
import type { GateService } from '../../../access/gates/index.ts'
import {
  type ContentService,
  categoryTooDeep,
  gatePermissionRequired,
  invalidOrder,
  pageNotFound,
  preconditionFailed,
  slugTaken,
  tooManyCategories,
  unknownCategory,
  versionTag,
} from '../../../publishing/content/index.ts'
import { contentHtml, contentListPath, deletionHtml, editorPath } from '../content/content-html.ts'
import { movedBy, orderTag, readOutline } from '../content/outline.ts'
import { REORDER_SCRIPT, reorderData } from '../content/reorder-island.ts'
import { contentMessages } from '../messages.ts'
import { manyIds, oneId } from '../values.ts'

/** The services of the screen with the pages of a profile. */
export interface ContentScreenServices {
  readonly content: Pick<ContentService, 'pages' | 'categories' | 'versions' | 'reorder'>
  readonly gates: Pick<GateService, 'gateOf'>
  /** Whether the storage can order pages. */
  readonly hasOrder: boolean
  /** Whether the storage keeps versions. */
  readonly hasVersions: boolean
}

const MAX_ID_LIST = 10_000

/** A category of a form, or the top level for an empty value. */
const place = z.union([z.literal('').transform(() => null), oneId])
const selected = manyIds.refine((ids) => ids.length > 0)
/** Ids in an order, separated by commas. */
const idList = z
  .string()
  .max(MAX_ID_LIST)
  .transform((text) => text.split(',').map(Number))
  .pipe(z.array(z.int().min(1)).min(1).max(500))
const onePage = z.object({ page: oneId, version: oneId })

const OUTCOMES = ['made', 'moved', 'published', 'archived', 'deleted', 'category'] as const

/** The screen with the pages of a profile: their states and order, and what is done with several of them. */
export function contentScreen({ content, gates, hasOrder, hasVersions }: ContentScreenServices): Screen {
  const { pages, categories, versions, reorder } = content

  /** Changes the selected pages one after another. A page that refuses ends it; those before it are changed. */
  const forEach = async (ids: readonly number[], change: (id: number) => Promise<unknown>) => {
    for (const id of ids) await change(id)
  }

  const move = (step: -1 | 1) =>
    screenAction({
      permission: 'content.edit',
      schema: z.object({ page: oneId, order: z.string().max(64) }),
      async run({ profile, caller, path }: ProfileVisit, { page: id, order }) {
        const { places } = await readOutline(content, profile.id, caller)
        const found = places.find(({ pages }) => pages.some(({ page }) => page.id === id))
        const ids = found?.pages.map(({ page }) => page.id) ?? []
        // Another person moved pages meanwhile, so the order that the form was made for is not that of now.
        if (orderTag(ids) !== order) throw preconditionFailed()
        const next = movedBy(ids, id, step)
        if (!found || !next) throw invalidOrder()
        await reorder({ kind: 'pages', profileId: profile.id, parentId: found.id, ids: next, previousIds: ids }, caller)
        return { to: path, said: 'moved' }
      },
    })

  return {
    name: 'content',
    path: '/manage/profiles/:id/content',
    section: 'profile',
    permission: 'content.read_drafts',
    nav: { position: 20 },
    errors: [
      pageNotFound,
      unknownCategory,
      slugTaken,
      invalidOrder,
      invalidTransition,
      gatePermissionRequired,
      preconditionFailed,
      categoryTooDeep,
      tooManyCategories,
      fileQuotaReached,
    ],
    query: ['delete'],
    title: (page) => contentMessages(page)('content'),
    said(outcome, page) {
      const known = OUTCOMES.find((each) => each === outcome)
      return known && contentMessages(page)(`did_${known}`)
    },
    problem({ code }, page) {
      const say = contentMessages(page)
      if (code === preconditionFailed.code || code === invalidOrder.code) return say('movedMeanwhile')
      if (code === slugTaken.code) return say('slugTaken')
      return code === 'invalid_transition' ? say('notPossible') : undefined
    },
    post: {
      create: screenAction({
        permission: 'content.edit',
        schema: z.object({ title: z.string().trim().pipe(line(200)), category: place }),
        async run({ profile, caller }: ProfileVisit, { title, category: categoryId }) {
          const draft = { profileId: profile.id, categoryId, title, body: '', excerpt: null, status: 'draft' } as const
          const { page } = await pages.create(draft, caller)
          return { to: editorPath(profile.id, page.id), said: 'made' }
        },
      }),
      addCategory: screenAction({
        permission: 'content.edit',
        schema: z.object({ name: z.string().trim().pipe(line(120)), parent: place }),
        async run({ profile, caller, path }: ProfileVisit, { name, parent: parentId }) {
          const fields = { description: null, icon: null, visibility: 'public' } as const
          await categories.create({ profileId: profile.id, parentId, name, ...fields }, caller)
          return { to: path, said: 'category' }
        },
      }),
      ...(hasOrder && {
        up: move(-1),
        down: move(1),
        // That of the script, which sends the order before.
        order: screenAction({
          permission: 'content.edit',
          schema: z.object({ place, was: idList, ids: idList }),
          async run({ profile, caller, path }: ProfileVisit, { place: parentId, was, ids }) {
            await reorder({ kind: 'pages', profileId: profile.id, parentId, ids, previousIds: was }, caller)
            return { to: path }
          },
        }),
      }),
      publish: screenAction({
        permission: 'content.publish',
        schema: z.object({ page: selected }),
        async run({ caller, path }: ProfileVisit, { page: ids }) {
          await forEach(ids, (id) => pages.update(id, { status: 'published' }, caller))
          return { to: path, said: 'published' }
        },
      }),
      archive: screenAction({
        permission: 'content.publish',
        schema: z.object({ page: selected }),
        async run({ caller, path }: ProfileVisit, { page: ids }) {
          await forEach(ids, (id) => pages.update(id, { status: 'archived' }, caller))
          return { to: path, said: 'archived' }
        },
      }),
      place: screenAction({
        permission: 'content.edit',
        schema: z.object({ page: selected, category: place }),
        async run({ caller, path }: ProfileVisit, { page: ids, category: categoryId }) {
          await forEach(ids, (id) => pages.update(id, { categoryId }, caller))
          return { to: path, said: 'moved' }
        },
      }),
      archiveOne: screenAction({
        permission: 'content.publish',
        schema: onePage,
        async run({ caller, path }: ProfileVisit, { page: id, version }) {
          await pages.update(id, { status: 'archived' }, caller, { ifMatch: versionTag(version) })
          return { to: path, said: 'archived' }
        },
      }),
      delete: screenAction({
        permission: 'content.delete',
        schema: onePage,
        async run({ caller, path }: ProfileVisit, { page: id, version }) {
          await pages.delete(id, caller, versionTag(version))
          return { to: path, said: 'deleted' }
        },
      }),
    },
    async get(visit) {
      const { profile, caller, query, site } = visit
      const { data: id } = oneId.safeParse(query.delete)
      if (id !== undefined && visit.allows('delete')) {
        const listed = await pages.get(id, caller)
        const { total } = hasVersions ? await versions.list(id, { limit: 1 }, caller) : { total: 1 }
        return {
          crumbs: [{ name: contentMessages(site)('content'), href: contentListPath(profile.id) }],
          body: deletionHtml(visit, { listed, versions: total }),
        }
      }
      const [outline, gate] = await Promise.all([readOutline(content, profile.id, caller), gates.gateOf(profile.id)])
      const canOrder = visit.allows('order')
      return {
        scripts: canOrder ? [REORDER_SCRIPT] : undefined,
        body: html`${contentHtml(visit, outline, gate?.config)}${canOrder && reorderData(visit)}`,
      }
    },
  }
}
