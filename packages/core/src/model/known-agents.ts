/** The purpose of the requests of an agent: for a user who asked, for a search index, or to train models. */
export type KnownPurpose = 'user' | 'search' | 'training'

/** An agent or crawler of an AI service, by a part of its user agent. */
export interface KnownAgent {
  /** The part of the user agent, which is also the name in figures. */
  readonly token: string
  readonly operator: string
  readonly purpose: KnownPurpose
}

/** The source of the list, and the date of the version that it was compared with. */
export const KNOWN_AGENTS_SOURCE = {
  url: 'https://github.com/ai-robots-txt/ai.robots.txt/blob/738c80df2169027ce0e07c9976fd3f2f57dd8f7b/robots.json',
  date: '2026-08-22',
} as const

/** Agents of AI services. A token that contains another one comes first. */
export const KNOWN_AGENTS: readonly KnownAgent[] = [
  { token: 'OAI-SearchBot', operator: 'OpenAI', purpose: 'search' },
  { token: 'ChatGPT-User', operator: 'OpenAI', purpose: 'user' },
  { token: 'ChatGPT Agent', operator: 'OpenAI', purpose: 'user' },
  { token: 'GPTBot', operator: 'OpenAI', purpose: 'training' },
  { token: 'Claude-SearchBot', operator: 'Anthropic', purpose: 'search' },
  { token: 'Claude-User', operator: 'Anthropic', purpose: 'user' },
  { token: 'ClaudeBot', operator: 'Anthropic', purpose: 'training' },
  { token: 'Perplexity-User', operator: 'Perplexity', purpose: 'user' },
  { token: 'PerplexityBot', operator: 'Perplexity', purpose: 'search' },
  { token: 'Meta-ExternalFetcher', operator: 'Meta', purpose: 'user' },
  { token: 'Meta-ExternalAgent', operator: 'Meta', purpose: 'training' },
  { token: 'MistralAI-User', operator: 'Mistral', purpose: 'user' },
  { token: 'GoogleAgent-Mariner', operator: 'Google', purpose: 'user' },
  { token: 'Gemini-Deep-Research', operator: 'Google', purpose: 'user' },
  { token: 'Google-NotebookLM', operator: 'Google', purpose: 'user' },
  { token: 'DuckAssistBot', operator: 'DuckDuckGo', purpose: 'user' },
  { token: 'Amzn-User', operator: 'Amazon', purpose: 'user' },
  { token: 'Amazonbot', operator: 'Amazon', purpose: 'search' },
  { token: 'Manus-User', operator: 'Butterfly Effect', purpose: 'user' },
  { token: 'cohere-ai', operator: 'Cohere', purpose: 'user' },
  { token: 'Bytespider', operator: 'ByteDance', purpose: 'training' },
  { token: 'CCBot', operator: 'Common Crawl Foundation', purpose: 'training' },
]

/** An agent or crawler that signs its requests with keys of an origin (Web Bot Auth). */
export interface KnownSigner {
  /** The origin of its key directory, as `Signature-Agent` names it. */
  readonly signatureAgent: string
  readonly name: string
  readonly operator: string
  readonly purpose: KnownPurpose
  /** The id of the search engine that it crawls for, as in {@link SEARCH_ENGINES}. */
  readonly searchEngine?: SearchEngine | undefined
  /** Where the operator documents it. */
  readonly source: string
  /** When that was read. */
  readonly date: string
}

/** Agents that sign their requests. */
export const KNOWN_SIGNERS: readonly KnownSigner[] = [
  {
    signatureAgent: 'https://chatgpt.com',
    name: 'ChatGPT agent',
    operator: 'OpenAI',
    purpose: 'user',
    source: 'https://help.openai.com/en/articles/11845367-chatgpt-agent-allowlisting',
    date: '2026-11-30',
  },
  {
    signatureAgent: 'https://agent.bot.goog',
    name: 'Google-Agent',
    operator: 'Google',
    purpose: 'user',
    source: 'https://developers.google.com/crawling/docs/crawlers-fetchers/web-bot-auth',
    date: '2026-11-30',
  },
]

/** A search engine that publishes the addresses of its crawler. */
export interface KnownSearchEngine {
  /** The part of the user agent of its crawler. */
  readonly token: string
  /** Where it publishes the addresses. */
  readonly addresses: string
  /** When that was read. */
  readonly date: string
}

/** The search engines whose crawlers their addresses prove. */
export const SEARCH_ENGINES = {
  google: {
    token: 'Googlebot',
    addresses: 'https://developers.google.com/static/crawling/ipranges/common-crawlers.json',
    date: '2026-11-30',
  },
  bing: { token: 'bingbot', addresses: 'https://www.bing.com/toolbox/bingbot.json', date: '2026-11-30' },
} as const satisfies Record<string, KnownSearchEngine>

/** The id of a search engine. */
export type SearchEngine = keyof typeof SEARCH_ENGINES

/** The ids of all search engines. */
export const searchEngines = Object.keys(SEARCH_ENGINES) as readonly SearchEngine[]

/** The search engine that the origin of a signer proves; undefined for other signers. */
export const searchEngineOfSigner = (origin: string | undefined): SearchEngine | undefined =>
  KNOWN_SIGNERS.find(({ signatureAgent, purpose }) => signatureAgent === origin && purpose === 'search')?.searchEngine
