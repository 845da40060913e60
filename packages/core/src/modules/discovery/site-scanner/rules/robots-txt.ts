import { fail, pass, type SiteRule, warn } from '../rule.ts'
import { describe, mediaTypeOf } from '../site.ts'

/** `/robots.txt` exists, is plain text and has a group of rules. */
export const robotsTxt: SiteRule = {
  id: 'robots-txt',
  category: 'crawling',
  summary: 'robots.txt exists and can be parsed',
  weight: 5,
  fix: 'Serve /robots.txt as text/plain with at least one User-agent line.',
  doc: 'https://www.rfc-editor.org/rfc/rfc9309',
  async check({ robots }) {
    if (robots.status !== 200) return fail('There is no robots.txt.', describe(robots))
    if (!/^[ \t]*user-agent[ \t]*:/im.test(robots.body))
      return fail('robots.txt has no User-agent line.', describe(robots))
    if (mediaTypeOf(robots) !== 'text/plain') return warn('robots.txt is not text/plain.', describe(robots))
    return pass('robots.txt exists and has rules.')
  },
}
