import type { McpPromptPart } from '../../../framework/module/mcp-parts.ts'

const asked = (text: string) => [{ role: 'user', content: { type: 'text', text } }] as const

/** The prompts of every service. Their texts are for models. */
export const BASE_PROMPTS: readonly McpPromptPart[] = [
  {
    name: 'read_and_cite',
    title: 'Read and cite',
    description: 'Read a page and answer with quotations and its address',
    arguments: [{ name: 'url', description: 'The URL of the page', required: true }],
    messages: async ({ url = '' }) =>
      asked(
        `Read ${url} with the tool read_page. Summarize it, and quote with the url of the page. If it costs money, show me the price first.`,
      ),
  },
  {
    name: 'draft_page',
    title: 'Draft a page',
    description: 'Write a page as a draft for an own profile',
    arguments: [{ name: 'topic', description: 'What the page is about', required: true }],
    messages: async ({ topic = '' }) =>
      asked(`Write a page about: ${topic}. Show me the text, and create it with create_page as a draft once I agree.`),
  },
  {
    name: 'weekly_report',
    title: 'Weekly report',
    description: 'Report readers, agents and sales of a profile in the last week',
    arguments: [{ name: 'profile', description: 'The username of the profile', required: true }],
    messages: async ({ profile = '' }) =>
      asked(
        `Report the last seven days of the profile ${profile}: reads, agents and sales, with get_analytics, get_agent_insights and get_sales_report.`,
      ),
  },
]
