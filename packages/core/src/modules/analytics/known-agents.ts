/** An agent or crawler of an AI service, by a part of its user agent that its operator documents. */
export interface KnownAgent {
  /** The part of the user agent, which is also the name in figures. */
  readonly token: string
  readonly operator: string
  /** Why it reads: for a user who asked, for a search index, or to train models. */
  readonly purpose: 'user' | 'search' | 'training'
  /** The page of the operator that documents it. */
  readonly source: string
}

const OPENAI = 'https://developers.openai.com/api/docs/bots'
const ANTHROPIC =
  'https://support.anthropic.com/en/articles/8896518-does-anthropic-crawl-data-from-the-web-and-how-can-site-owners-block-the-crawler'
const PERPLEXITY = 'https://docs.perplexity.ai/docs/resources/perplexity-crawlers'
const META = 'https://developers.facebook.com/docs/sharing/webmasters/web-crawlers'

/** Agents of AI services, as of 2026-11-23. A token that contains another one comes first. */
export const KNOWN_AGENTS: readonly KnownAgent[] = [
  { token: 'OAI-SearchBot', operator: 'OpenAI', purpose: 'search', source: OPENAI },
  { token: 'ChatGPT-User', operator: 'OpenAI', purpose: 'user', source: OPENAI },
  { token: 'GPTBot', operator: 'OpenAI', purpose: 'training', source: OPENAI },
  { token: 'Claude-SearchBot', operator: 'Anthropic', purpose: 'search', source: ANTHROPIC },
  { token: 'Claude-User', operator: 'Anthropic', purpose: 'user', source: ANTHROPIC },
  { token: 'ClaudeBot', operator: 'Anthropic', purpose: 'training', source: ANTHROPIC },
  { token: 'Perplexity-User', operator: 'Perplexity', purpose: 'user', source: PERPLEXITY },
  { token: 'PerplexityBot', operator: 'Perplexity', purpose: 'search', source: PERPLEXITY },
  { token: 'Meta-ExternalFetcher', operator: 'Meta', purpose: 'user', source: META },
  { token: 'Meta-ExternalAgent', operator: 'Meta', purpose: 'training', source: META },
  { token: 'Amazonbot', operator: 'Amazon', purpose: 'search', source: 'https://developer.amazon.com/amazonbot' },
  { token: 'CCBot', operator: 'Common Crawl', purpose: 'training', source: 'https://commoncrawl.org/ccbot' },
  {
    token: 'DuckAssistBot',
    operator: 'DuckDuckGo',
    purpose: 'user',
    source: 'https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot',
  },
  { token: 'MistralAI-User', operator: 'Mistral AI', purpose: 'user', source: 'https://docs.mistral.ai/robots' },
]
