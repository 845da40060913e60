import { defineError } from '../../../kernel/errors.ts'

export const pageNotFound = defineError('page_not_found', 404, 'Page not found')
export const pageWasDeleted = defineError('page_deleted', 404, 'The page was deleted', { gone: true })
export const pageMoved = defineError('page_moved', 308, 'The page has moved')
export const draftNotFound = defineError('draft_not_found', 404, 'The page has no draft')
export const pageNotPublished = defineError(
  'page_not_published',
  409,
  'Only a published page can have a draft; save the page itself',
)
export const invalidBaseVersion = defineError(
  'invalid_base_version',
  400,
  'base_version must not be greater than the version of the page',
)
export const pageNotDraft = defineError(
  'page_not_draft',
  409,
  'Only a page that stays a draft can be scheduled; for a published page, schedule its draft',
)
export const inThePast = defineError('in_the_past', 400, 'publish_at must be in the future')
export const tooFarAhead = defineError('too_far_ahead', 400, 'publish_at must be within one year')
export const nothingToPreview = defineError(
  'nothing_to_preview',
  409,
  'The page is published and has no draft; everyone sees it as it is',
)
export const tooManyPreviewLinks = defineError(
  'too_many_preview_links',
  409,
  'The page has as many preview links as it can have; revoke one first',
)
export const previewLinkNotFound = defineError('preview_link_not_found', 404, 'The link has ended or never existed')
export const previewBusy = defineError('preview_busy', 503, 'Too many texts are being rendered; try again later')
export const versionNotFound = defineError('version_not_found', 404, 'Version not found')
export const diffBusy = defineError('diff_busy', 503, 'Too many versions are being compared; try again later')
export const categoryNotFound = defineError('category_not_found', 404, 'Category not found')
export const unknownCategory = defineError('unknown_category', 400, 'The category does not belong to this profile')
export const gatePermissionRequired = defineError(
  'gate_permission_required',
  403,
  'This change would take content out of its gate, which requires permission to edit the gate',
)
export const invalidCover = defineError(
  'invalid_cover',
  400,
  'cover_url must be the address of an image of this profile, such as /files/7',
)
export const slugTaken = defineError('slug_taken', 409, 'Another page or category in the same place has this slug')
export const preconditionFailed = defineError(
  'precondition_failed',
  412,
  'The page or document was changed since you read it',
)
export const invalidOrder = defineError(
  'invalid_order',
  400,
  'ids must contain every item of the category, or of the top level, exactly once',
)
export const categoryCycle = defineError('category_cycle', 409, 'A category cannot be inside itself')
export const categoryTooDeep = defineError('category_too_deep', 409, 'Categories are nested too deeply')
export const categoryNotEmpty = defineError(
  'category_not_empty',
  409,
  'The category is not empty; use `cascade` to delete its content',
)
export const tooManyCategories = defineError(
  'too_many_categories',
  409,
  'The profile has the maximum number of categories; delete one first',
)
