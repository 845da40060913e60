import type { AssistantSubject } from './assistant-subject.ts'
import type { BareAssistant } from './bare-assistant.ts'
import { compare, type Load } from './measure.ts'
import { type Figure, processors } from './public-reads.ts'
import { startServer } from './server-process.ts'

const PAGE = '/u/ada/content/welcome'

/** A request of MCP, revision 2025-11-25. */
const message = (method: string, params: object): Pick<Load, 'method' | 'headers' | 'body'> => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
})

const list = message('tools/list', {})
const readPage = message('tools/call', { name: 'read_page', arguments: { url: PAGE } })

/** Measures requests with the token of a connected app against an API key, and MCP against its library alone and against HTTP. */
export async function measureAssistants(connectionString?: string): Promise<readonly Figure[]> {
  const service = await startServer<AssistantSubject>('./assistant-subject.ts', { connectionString })
  const bare = await startServer<BareAssistant>('./bare-assistant.ts', {})
  const { url, apiKey, appToken } = service.report
  const here = (path: string, more: Partial<Load> = {}): Load => ({ url: url + path, pid: service.pid, ...more })
  const there: Pick<Load, 'url' | 'pid'> = { url: `${bare.report.url}/mcp`, pid: bare.pid }
  const figures: Figure[] = []
  const measure = async (what: string, against: string, must: number, [ours, theirs]: readonly [Load, Load]) => {
    const pair = await compare(ours, theirs)
    const figure = { what, against, must, ...pair }
    figures.push({ ...figure, note: processors(pair) })
  }

  await measure('a request with the token of an app', 'the same with an API key', 0.95, [
    here('/auth/me', { headers: { authorization: `Bearer ${appToken}` } }),
    here('/auth/me', { headers: { 'x-api-key': apiKey } }),
  ])
  await measure('tools/list of MCP', 'the library alone, with one tool', 0.7, [
    here('/mcp', list),
    { ...there, ...list },
  ])
  await measure('read_page of MCP', 'a tool of the library alone, which only answers', 0.5, [
    here('/mcp', readPage),
    { ...there, ...readPage },
  ])
  await measure('read_page of MCP', 'the same page over HTTP, with an API key', 0.5, [
    here('/mcp', readPage),
    here(PAGE, { headers: { 'x-api-key': apiKey } }),
  ])
  bare.stop()
  service.stop()
  return figures
}
