import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'
import type { AboutProfile } from '../../../runtime/events/signals.ts'

const status = z.enum(['draft', 'published', 'archived'])
const page = z.object({ pageId: z.int(), slug: z.string(), title: z.string(), status })
/** The page as everyone could see it until then; null when they could not. */
const seen = z.object({ path: z.string(), url: z.string(), title: z.string(), gated: z.boolean() }).nullable()
const category = z.object({ categoryId: z.int(), slug: z.string() })

const announced = z.object({
  entity_id: z.int(),
  page_id: z.int(),
  path: z.string(),
  url: z.string(),
  title: z.string(),
  gated: z.boolean().describe('Whether a gate protects it'),
})

const published = announced.describe('A page became public')
const updated = announced.describe('A public page was changed')
const deletedPage = announced.describe('A page was deleted, unpublished or hidden')

interface LostPage {
  readonly pageId: number
  readonly previousPublicPage: z.output<typeof seen>
}

/** A page that is no longer public. */
const lost = ({ pageId, previousPublicPage }: LostPage, { profileId }: AboutProfile) =>
  previousPublicPage
    ? {
        type: 'content.deleted',
        data: { entity_id: profileId, page_id: pageId, ...previousPublicPage },
        subject: previousPublicPage.path,
      }
    : undefined

const ofProfile = { audience: 'internal', subject: 'profile' } as const

export const categorySaved = defineEvent('content.category_saved', {
  ...ofProfile,
  data: category.extend({
    isMoved: z.boolean().describe('Whether the addresses of the pages below it changed: by its slug or its parent'),
  }),
  invalidates: ['profile', 'lists'],
  summary: 'A category was created or changed',
})
export const categoryDeleted = defineEvent('content.category_deleted', {
  ...ofProfile,
  data: category,
  invalidates: ['profile', 'lists'],
  summary: 'A category was deleted',
})
export const categoriesReordered = defineEvent('content.categories_reordered', {
  ...ofProfile,
  data: z.object({ parentId: z.int().nullable() }),
  invalidates: ['profile'],
  summary: 'The categories below a parent, or at the top level, were reordered',
})
export const pagesReordered = defineEvent('content.pages_reordered', {
  ...ofProfile,
  data: z.object({ categoryId: z.int().nullable() }),
  invalidates: ['profile'],
  summary: 'The pages of a category, or at the top level, were reordered',
})
export const pageSaved = defineEvent('content.page_saved', {
  audience: 'public',
  subject: 'profile',
  data: page.extend({ version: z.int(), previousStatus: status.nullable(), previousPublicPage: seen }),
  // Cached lists may lack a new page, but must not show earlier texts of a published one.
  invalidates: ({ previousStatus }) => (previousStatus === 'published' ? ['profile', 'lists'] : ['profile']),
  changelog: true,
  signal: {
    types: { 'content.published': published, 'content.updated': updated, 'content.deleted': deletedPage },
    of(data, event) {
      const { status, previousStatus, pageId } = data
      if (status !== 'published' || data.previousPublicPage) return lost(data, event)
      const type = previousStatus === 'published' ? 'content.updated' : 'content.published'
      return { type, data: { entity_id: event.profileId, page_id: pageId }, pageId }
    },
  },
  summary: 'A page was created or changed',
})
export const pageDeleted = defineEvent('content.page_deleted', {
  audience: 'public',
  subject: 'profile',
  data: page.extend({ previousPublicPage: seen }),
  signal: { types: { 'content.deleted': deletedPage }, of: lost },
  invalidates: ['profile', 'lists'],
  summary: 'A page was deleted',
})

export const pageHidden = defineEvent('content.page_hidden', {
  audience: 'public',
  subject: 'profile',
  data: page.extend({ previousPublicPage: seen }),
  signal: { types: { 'content.deleted': deletedPage }, of: lost },
  invalidates: ['profile', 'lists'],
  summary: 'A page was hidden because a category above it was made private or moved into a private one',
})
export const pageRevealed = defineEvent('content.page_revealed', {
  audience: 'public',
  subject: 'profile',
  data: page,
  signal: {
    types: { 'content.published': published },
    of: ({ pageId }, { profileId }) => ({
      type: 'content.published',
      data: { entity_id: profileId, page_id: pageId },
      pageId,
    }),
  },
  invalidates: ['profile', 'lists'],
  summary: 'A published page became public with a category above it',
})

/** Why a scheduled publication did not happen. */
export const FAILURE_REASONS = [
  'version_changed',
  'account_banned',
  'account_deletion_scheduled',
  'quota_reached',
  'refused',
] as const
export type FailureReason = (typeof FAILURE_REASONS)[number]

export const publicationFailed = defineEvent('content.publication_failed', {
  audience: 'team',
  subject: 'profile',
  data: z.object({
    pageId: z.int(),
    of: z.enum(['page', 'draft']),
    publishAt: z.iso.datetime(),
    reason: z.enum(FAILURE_REASONS),
  }),
  signal: {
    types: {
      'content.publication.failed': z.object({
        entity_id: z.int(),
        page_id: z.int(),
        of: z.enum(['page', 'draft']).describe('Whether it was a page that is a draft, or the draft of a page'),
        publish_at: z.iso.datetime().describe('When it should have been published'),
        reason: z.enum(FAILURE_REASONS),
      }),
    },
    of: ({ pageId, of, publishAt, reason }, { profileId }) => ({
      type: 'content.publication.failed',
      data: { entity_id: profileId, page_id: pageId, of, publish_at: publishAt, reason },
    }),
  },
  summary: 'A page or a draft was not published at its scheduled time; it is no longer scheduled',
})

export const contentEvents = [
  categorySaved,
  categoryDeleted,
  categoriesReordered,
  pagesReordered,
  pageSaved,
  pageDeleted,
  pageHidden,
  pageRevealed,
  publicationFailed,
] as const
