/** An agent or crawler of an AI service, by a part of its user agent. */
export interface KnownAgent {
  /** The part of the user agent, which is also the name in figures. */
  readonly token: string
  readonly operator: string
  /** The purpose of its requests: for a user who asked, for a search index, or to train models. */
  readonly purpose: 'user' | 'search' | 'training'
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
