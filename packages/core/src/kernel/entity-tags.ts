/**
 * Whether the precondition `If-Match` holds: it contains the current tag or `*`, or was not sent. The comparison is strong
 * (RFC 9110, 13.1.1), and an invalid tag matches nothing.
 */
export function ifMatchHolds(ifMatch: string | undefined, tag: string): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true
  return ifMatch.split(',').some((one) => one.trim() === tag)
}

/** Whether `If-None-Match` lists this ETag, by weak comparison (RFC 9110, 13.1.2). */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}
