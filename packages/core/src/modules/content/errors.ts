import { defineError } from '../../kernel/errors.ts'

export const pageNotFound = defineError('page_not_found', 404, 'There is no such page')
export const pageMoved = defineError('page_moved', 308, 'It has another address now')
export const versionNotFound = defineError('version_not_found', 404, 'This page has no such version')
export const diffBusy = defineError('diff_busy', 503, 'Too many versions are being compared; try again later')
export const categoryNotFound = defineError('category_not_found', 404, 'There is no such category')
export const unknownCategory = defineError('unknown_category', 400, 'This profile has no such category')
export const gatePermissionRequired = defineError(
  'gate_permission_required',
  403,
  'This change would remove content from its gate; it needs the permission to edit the gate',
)
export const slugTaken = defineError('slug_taken', 409, 'Something else in the same place has this slug')
export const preconditionFailed = defineError('precondition_failed', 412, 'The page was changed since you read it')
export const invalidOrder = defineError('invalid_order', 400, 'The ids are not exactly those of one place, each once')
export const categoryCycle = defineError('category_cycle', 409, 'A category cannot be inside of itself')
export const categoryTooDeep = defineError('category_too_deep', 409, 'Categories are nested too deeply')
export const categoryNotEmpty = defineError('category_not_empty', 409, 'The category holds pages or categories')
export const tooManyCategories = defineError('too_many_categories', 409, 'The profile has no room for another category')
