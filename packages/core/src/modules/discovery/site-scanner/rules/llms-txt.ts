import { fail, pass, type SiteRule, skip, warn } from '../rule.ts'
import { describe, mediaTypeOf } from '../site.ts'

/** `/llms.txt` exists and has the parts of the proposal: a title, a summary and links. */
export const llmsTxt: SiteRule = {
  id: 'llms-txt',
  category: 'content',
  summary: 'llms.txt describes the site for language models',
  weight: 5,
  fix: 'Serve /llms.txt as text: a title (# Name), a summary (> …) and lists of links in Markdown.',
  doc: 'https://llmstxt.org/',
  async check(site) {
    const answer = await site.get('/llms.txt')
    if (answer.is !== 'answer') return skip(answer.reason)
    if (answer.status !== 200) return fail('There is no llms.txt.', describe(answer))
    if (!/^text\/(plain|markdown)$/.test(mediaTypeOf(answer))) return fail('llms.txt is not text.', describe(answer))
    const text = answer.body.replace(/^\ufeff/, '').trimStart()
    if (!/^# \S/.test(text)) return fail('llms.txt does not start with a title (# Name).', text.slice(0, 100))
    // `^` also matches after the line separators that are excluded, so that no character is read for more than one start.
    const links = text.match(/^[ \t]{0,8}[-*][ \t]{1,8}\[[^\]\n\r\u2028\u2029]{1,500}\]\([^)\s]{1,2048}\)/gm) ?? []
    if (links.length === 0) return warn('llms.txt has no list of links.')
    if (!/^> \S/m.test(text)) return warn('llms.txt has no summary (> …).')
    return pass(`llms.txt has a title, a summary and ${links.length} links.`)
  },
}
