export { accessTo } from '../../../model/page-access.ts'
export { addressOf, contentPath, gatedContent, SLUG } from './address.ts'
export {
  diffBusy,
  gatePermissionRequired,
  pageNotFound,
  preconditionFailed,
  slugTaken,
  unknownCategory,
  versionNotFound,
} from './errors.ts'
export { slugsTo } from './placement.ts'
export { bodyDiff, diffQuery, markdownBody, PAGE_REQUEST_BYTES } from './schemas.ts'
export { encodeDiff } from './serialize.ts'
export type { ContentService } from './service.ts'
export type { SignalPage } from './signal-page.ts'
export { MAX_SLUG_LENGTH, suggestSlug } from './slug.ts'
export { checkVersion, versionTag } from './version-tag.ts'
export { type VersionSettings, versioningOf } from './versioning.ts'
