import { memoized } from '../../kernel/memoized.ts'
import { KNOWN_AGENTS } from './known-agents.ts'

/** The kinds of clients: browsers, agents of AI services, and other programs. */
export const CLIENT_KINDS = ['human', 'agent', 'bot'] as const
export type ClientKind = (typeof CLIENT_KINDS)[number]

/** Words in user agents of programs: crawlers, feed readers, link previews, HTTP libraries. */
const PROGRAM =
  /(?<!cu)bot\b|(?<!cu)bot[/;_-]|crawl|spider|slurp|archive|preview|fetch|feed|rss|monitor|scan|check|headless|lighthouse|curl|wget|python|java\/|okhttp|go-http|axios|node|undici|httpie|postman|libwww|perl|ruby|php|scrapy|facebookexternalhit|whatsapp|validator/i

const BROWSER = /^(mozilla|opera)\//i

/** Returns the family of a known agent of an AI service: `GPTBot`. */
const agentFamilyOf = memoized((userAgent: string): string | undefined => {
  const text = userAgent.toLowerCase()
  return KNOWN_AGENTS.find(({ token }) => text.includes(token.toLowerCase()))?.token
})

/** Classifies a user agent. Everything except browsers and known agents is a bot. */
export const kindOfUserAgent = memoized((userAgent: string): ClientKind => {
  if (agentFamilyOf(userAgent) !== undefined) return 'agent'
  return BROWSER.test(userAgent) && !PROGRAM.test(userAgent) ? 'human' : 'bot'
})
