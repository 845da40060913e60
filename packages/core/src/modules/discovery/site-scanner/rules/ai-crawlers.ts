import { AI_CRAWLERS } from '../../../../model/crawler-rules.ts'
import { pass, type SiteRule, skip, warn } from '../rule.ts'

/** `robots.txt` has rules for AI crawlers, and allows some of them to read the page. */
export const aiCrawlers: SiteRule = {
  id: 'ai-crawlers',
  category: 'crawling',
  summary: 'robots.txt has rules for AI crawlers, and lets some of them read the page',
  weight: 4,
  fix: 'Name AI crawlers, for example GPTBot, ClaudeBot and PerplexityBot, in robots.txt, and allow those that answer questions.',
  doc: 'https://www.rfc-editor.org/rfc/rfc9309#section-2.2.1',
  async check({ robots, robotsRules, url }) {
    if (robots.status !== 200) return skip('There is no robots.txt.')
    const named = new Set(
      [...robots.body.matchAll(/^[ \t]*user-agent[ \t]*:[ \t]*([\w.-]{1,64})/gim)].map(([, name]) =>
        String(name).toLowerCase(),
      ),
    )
    const known = AI_CRAWLERS.filter((name) => named.has(name.toLowerCase()))
    const allowed = AI_CRAWLERS.filter((name) => robotsRules.isAllowed(url.href, name))
    const evidence = `named: ${known.join(', ') || 'none'}; allowed: ${allowed.join(', ') || 'none'}`
    if (allowed.length === 0) return warn('robots.txt forbids the page to all known AI crawlers.', evidence)
    if (known.length === 0) return warn('robots.txt names no AI crawler.', evidence)
    return pass('robots.txt has rules for AI crawlers.', evidence)
  },
}
