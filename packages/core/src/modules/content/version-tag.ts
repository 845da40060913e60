import { preconditionFailed } from './errors.ts'

/** The `ETag` of a page as its team edits it. */
export const versionTag = (version: number): string => `"v${version}"`

/**
 * Goes on when `If-Match` names this version, or `*`, or was not sent. The comparison is strong (RFC 9110, 13.1.1).
 *
 * @throws `precondition_failed` with the version there is
 */
export function checkVersion(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  if (ifMatch.split(',').some((tag) => tag.trim() === versionTag(version))) return
  throw preconditionFailed({ details: { version } })
}
