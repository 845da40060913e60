/** Returns the host of a URL without `www.`; undefined for anything else. Paths and queries of referrers are not kept. */
export function hostOf(referrer: string): string | undefined {
  if (!/^https?:\/\//i.test(referrer) || !URL.canParse(referrer)) return undefined
  return new URL(referrer).host.replace(/^www\./, '') || undefined
}

const MAX_TERM = 64

/**
 * Returns a search query as it is counted: lower case, white space collapsed. Undefined for queries that look like an email
 * address or a phone number, and for long ones, which are rarely repeated.
 */
export function searchTermOf(query: string): string | undefined {
  const term = query.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
  if (term === '' || term.length > MAX_TERM || term.includes('@') || /(\d[\s-]?){7}/.test(term)) return undefined
  return term
}
