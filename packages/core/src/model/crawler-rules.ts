/** How crawlers may use the content of the service (contentsignals.org). */
export interface ContentSignal {
  readonly search: boolean
  readonly aiInput: boolean
  readonly aiTrain: boolean
}

/** The rules of `/robots.txt`. */
export interface CrawlerRules {
  readonly contentSignal: ContentSignal
  /** The user agents of disallowed crawlers. */
  readonly disallow: readonly string[]
}

/** Crawlers and agents of AI services, by user agent. Many read only rules that name them. */
export const AI_CRAWLERS = [
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
  'Amazonbot',
  'Bytespider',
  'DuckAssistBot',
  'Meta-ExternalAgent',
  'MistralAI-User',
  'cohere-ai',
] as const
