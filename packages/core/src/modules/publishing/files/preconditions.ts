import type { IncomingHttpHeaders } from 'node:http'
import { ifMatchHolds, matchesEtag } from '../../../kernel/entity-tags.ts'

/** What identifies a representation (RFC 9110, 8.8). */
export interface Validators {
  readonly etag: string
  readonly lastModified: Date
}

const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/
const WITH_ZONE = /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/

/** A date of a header in milliseconds, in any of its three forms (RFC 9110, 5.6.7); NaN for all else. */
function dateOf(text: string): number {
  const value = text.trim()
  if (WITH_ZONE.test(value)) return Date.parse(value)
  // This form is in UTC but does not name the time zone.
  return ASCTIME.test(value) ? Date.parse(`${value} GMT`) : Number.NaN
}

/** The time of a file, at the precision of headers. */
const secondOf = ({ lastModified }: Validators) => Math.floor(lastModified.getTime() / 1_000) * 1_000

/** Whether the part that a client has belongs to this file. Otherwise it gets the whole file (RFC 9110, 13.1.5). */
export function ifRangeHolds(ifRange: string, validators: Validators): boolean {
  const value = ifRange.trim()
  // A weak validator does not guarantee that the bytes are the same.
  if (value.startsWith('"') || value.startsWith('W/')) return value === validators.etag
  return dateOf(value) === secondOf(validators)
}

/** Evaluates the preconditions of a GET or HEAD in order (RFC 9110, 13.2.2). Invalid dates are ignored. */
export function preconditionOf(headers: IncomingHttpHeaders, validators: Validators): 'holds' | 'failed' | 'unchanged' {
  const { 'if-match': match, 'if-unmodified-since': unmodified } = headers
  if (match !== undefined) {
    if (!ifMatchHolds(match, validators.etag)) return 'failed'
  } else if (unmodified !== undefined && secondOf(validators) > dateOf(unmodified)) return 'failed'

  const { 'if-none-match': known, 'if-modified-since': since } = headers
  if (known !== undefined) return matchesEtag(known, validators.etag) ? 'unchanged' : 'holds'
  return since !== undefined && secondOf(validators) <= dateOf(since) ? 'unchanged' : 'holds'
}
