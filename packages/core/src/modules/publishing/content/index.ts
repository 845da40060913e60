export { accessTo } from '../../../model/page-access.ts'
export { addressOf, contentPath, contentResource, gatedContent, SLUG } from './address.ts'
export type { CategoryNode } from './categories.ts'
export { draftTag, NO_DRAFT, type ProfileDraft } from './drafts.ts'
export {
  categoryTooDeep,
  diffBusy,
  draftNotFound,
  gatePermissionRequired,
  inThePast,
  invalidCover,
  invalidOrder,
  nothingToPreview,
  pageNotDraft,
  pageNotFound,
  pageNotPublished,
  preconditionFailed,
  previewBusy,
  previewLinkNotFound,
  slugTaken,
  tooFarAhead,
  tooManyCategories,
  tooManyPreviewLinks,
  unknownCategory,
  versionNotFound,
} from './errors.ts'
export type { PlacedPage } from './pages.ts'
export { slugsTo } from './placement.ts'
export { bodyDiff, diffQuery, markdownBody, PAGE_REQUEST_BYTES } from './schemas.ts'
export { encodeDiff } from './serialize.ts'
export type { ContentService } from './service.ts'
export type { SignalPage } from './signal-page.ts'
export { MAX_SLUG_LENGTH, suggestSlug } from './slug.ts'
export { checkVersion, versionTag } from './version-tag.ts'
export { type VersionSettings, versioningOf } from './versioning.ts'
