import { fail, pass, type SiteRule, skip, warn } from '../rule.ts'
import { describe, mediaTypeOf } from '../site.ts'

/** The page is served as Markdown to clients that ask for it. */
export const markdown: SiteRule = {
  id: 'markdown',
  category: 'content',
  summary: 'The page is served as Markdown for Accept: text/markdown, and caches keep it apart from HTML',
  weight: 6,
  fix: 'Return Markdown for requests with "Accept: text/markdown", and send "Vary: Accept" with both representations.',
  doc: 'https://www.rfc-editor.org/rfc/rfc7763',
  async check(site) {
    const answer = await site.get(site.url.href, { accept: 'text/markdown' })
    if (answer.is !== 'answer') return skip(answer.reason)
    // A gated page answers with its terms; the negotiation cannot be seen there.
    if (answer.status === 401 || answer.status === 402 || answer.status === 403) return skip('The page is not open.')
    if (answer.status !== 200 || mediaTypeOf(answer) !== 'text/markdown') {
      return fail('The page is not served as Markdown.', describe(answer))
    }
    if (/^\s*<(!doctype|html)/i.test(answer.body)) return fail('The Markdown is HTML.', answer.body.slice(0, 80))
    const vary = answer.headers.get('vary') ?? ''
    if (!/(^|,)\s*(accept|\*)\s*(,|$)/i.test(vary)) {
      return warn('The page varies by Accept, but has no "Vary: Accept".', `Vary: ${vary || 'none'}`)
    }
    return pass('The page is served as Markdown.')
  },
}
