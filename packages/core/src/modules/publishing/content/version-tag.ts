import { ifMatchHolds } from '../../../kernel/entity-tags.ts'
import { preconditionFailed } from './errors.ts'

/** The `ETag` of a page as its team edits it. */
export const versionTag = (version: number): string => `"v${version}"`

/**
 * Returns when `If-Match` names this version or `*`, or was not sent.
 *
 * @throws `precondition_failed` with the current version
 */
export function checkVersion(ifMatch: string | undefined, version: number): void {
  if (!ifMatchHolds(ifMatch, versionTag(version))) throw preconditionFailed({ details: { version } })
}
