import { firstFound, isFilled, isRecord, isWebUrl, jsonOf, mediaTypeOf, type Site, type SiteResponse } from './site.ts'

/** Where cards of MCP servers are: the name of today, then an earlier one. */
export const MCP_CARD_PATHS = ['/.well-known/mcp/server-card.json', '/.well-known/mcp.json'] as const

/** The revision of MCP that the scanner asks for. */
const REVISION = '2025-11-25'
const EVENT_STREAM = 'text/event-stream'

/** The address of the server that a card names: the URL, or a path of the site. */
export function mcpAddressIn(card: Readonly<Record<string, unknown>>): string | undefined {
  const transport = isRecord(card.transport) ? card.transport : {}
  const remotes = (Array.isArray(card.remotes) ? card.remotes : []).filter(isRecord)
  const named = [transport.endpoint, transport.url, card.endpoint, card.url, ...remotes.map(({ url }) => url)]
  const address = named.find(isFilled)
  return address !== undefined && (address.startsWith('/') || isWebUrl(address)) ? address : undefined
}

/** The address of the MCP server of a site; undefined without a card that names one. */
export async function findMcpAddress(site: Site): Promise<string | undefined> {
  const found = await firstFound(site, MCP_CARD_PATHS)
  const card = found?.is === 'answer' && found.status === 200 ? jsonOf(found) : undefined
  return card && mcpAddressIn(card)
}

type Answered =
  | { readonly is: 'result'; readonly result: Readonly<Record<string, unknown>> }
  | { readonly is: 'none'; readonly response: SiteResponse }

/** The result in a response: JSON, or the first message of a stream. */
function resultOf(response: SiteResponse): Answered {
  if (response.is !== 'answer' || response.status !== 200) return { is: 'none', response }
  const isStream = mediaTypeOf(response) === EVENT_STREAM
  const body = isStream ? (/^data: ?(.+)$/m.exec(response.body)?.[1] ?? '') : response.body
  const { result } = jsonOf({ ...response, body }) ?? {}
  return isRecord(result) ? { is: 'result', result } : { is: 'none', response }
}

/** Opens a conversation with an MCP server, as an anonymous client. */
export function mcpClient(site: Site, address: string) {
  const headers: Record<string, string> = { accept: `application/json, ${EVENT_STREAM}` }
  let id = 0
  const send = (method: string, params: object) => {
    id += 1
    return site.post(address, { jsonrpc: '2.0', id, method, params }, headers)
  }
  return {
    /** The description of the server. */
    async initialize(): Promise<Answered> {
      const clientInfo = { name: 'site-scanner', version: '1.0.0' }
      const response = await send('initialize', { protocolVersion: REVISION, capabilities: {}, clientInfo })
      const answered = resultOf(response)
      if (answered.is === 'none' || response.is !== 'answer') return answered
      const session = response.headers.get('mcp-session-id')
      const { protocolVersion } = answered.result
      if (isFilled(protocolVersion)) headers['mcp-protocol-version'] = protocolVersion
      if (session !== undefined) {
        headers['mcp-session-id'] = session
        await site.post(address, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers)
      }
      return answered
    },
    request: async (method: string, params: object = {}): Promise<Answered> => resultOf(await send(method, params)),
  }
}
