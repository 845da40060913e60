import { pass, type SiteRule, skip, warn } from '../rule.ts'

/** Crawlers of AI services, by what they fetch pages for. */
const AI_CRAWLERS = [
  'GPTBot',
  'OAI-SearchBot',
  'ChatGPT-User',
  'ClaudeBot',
  'Claude-User',
  'Claude-SearchBot',
  'Google-Extended',
  'PerplexityBot',
  'Perplexity-User',
  'CCBot',
  'Applebot-Extended',
  'Meta-ExternalAgent',
  'Bytespider',
] as const

/** `robots.txt` has rules for AI crawlers, and allows some of them to read the page. */
export const aiCrawlers: SiteRule = {
  id: 'ai-crawlers',
  category: 'crawling',
  summary: 'robots.txt says what AI crawlers may do, and lets some of them read the page',
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
