import { fail, pass, type SiteRule, skip, warn } from '../rule.ts'
import { describe } from '../site.ts'

/** The page has a validator, and conditional requests get 304. */
export const conditionalRequests: SiteRule = {
  id: 'conditional-requests',
  category: 'http',
  summary: 'The page has an ETag or Last-Modified, and conditional requests return 304',
  weight: 4,
  fix: 'Send an ETag with the page, and return 304 to requests whose If-None-Match has it.',
  doc: 'https://www.rfc-editor.org/rfc/rfc9110#section-13',
  async check(site) {
    const page = await site.get(site.url.href, { accept: 'text/html' })
    if (page.is !== 'answer') return skip(page.reason)
    if (page.status !== 200) return skip('The page is not open.')
    const etag = page.headers.get('etag')
    const modified = page.headers.get('last-modified')
    if (etag === undefined && modified === undefined) return fail('The page has no ETag and no Last-Modified.')
    const condition = etag === undefined ? { 'if-modified-since': modified ?? '' } : { 'if-none-match': etag }
    const again = await site.get(site.url.href, { accept: 'text/html', ...condition })
    if (again.is !== 'answer') return skip(again.reason)
    if (again.status !== 304) return fail('A conditional request does not return 304.', describe(again))
    if (!page.headers.has('cache-control')) return warn('The page has no Cache-Control.')
    return pass('A conditional request returns 304.', etag ?? modified)
  },
}
