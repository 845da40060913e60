import { memoized } from '../../../kernel/memoized.ts'
import { KNOWN_AGENTS } from '../../../model/known-agents.ts'

/** The kinds of clients: browsers, agents of AI services, and other programs. */
export const CLIENT_KINDS = ['human', 'agent', 'bot'] as const
export type ClientKind = (typeof CLIENT_KINDS)[number]

/** Words in user agents of programs: crawlers, feed readers, link previews, HTTP libraries. */
const PROGRAM =
  /(?<!cu)bot\b|(?<!cu)bot[/;_-]|crawl|spider|slurp|archive|preview|fetch|feed|rss|monitor|scan|check|headless|lighthouse|curl|wget|python|java\/|okhttp|go-http|axios|node|undici|httpie|postman|libwww|perl|ruby|php|scrapy|facebookexternalhit|whatsapp|validator/i

const BROWSER = /^(mozilla|opera)\//i

interface Classified {
  readonly kind: ClientKind
  /** The family of a known agent of an AI service: `GPTBot`. */
  readonly family: string | undefined
}

const classify = memoized((userAgent: string): Classified => {
  const text = userAgent.toLowerCase()
  const family = KNOWN_AGENTS.find(({ token }) => text.includes(token.toLowerCase()))?.token
  if (family !== undefined) return { kind: 'agent', family }
  return { kind: BROWSER.test(userAgent) && !PROGRAM.test(userAgent) ? 'human' : 'bot', family }
})

const MAX_LENGTH = 512
type UserAgent = string | readonly string[] | undefined
const asText = (value: UserAgent) => (typeof value === 'string' ? value.slice(0, MAX_LENGTH) : '')

/** Returns the family of a known agent of an AI service: `GPTBot`. */
export const familyOf = (userAgent: UserAgent): string | undefined => classify(asText(userAgent)).family

/** Classifies a user agent. Everything except browsers and known agents is a bot. */
export const kindOfUserAgent = (userAgent: UserAgent): ClientKind => classify(asText(userAgent)).kind
