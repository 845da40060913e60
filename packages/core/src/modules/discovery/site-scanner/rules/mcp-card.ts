import { MCP_CARD_PATHS, mcpAddressIn } from '../mcp-site.ts'
import { fail, pass, type SiteRule, skip } from '../rule.ts'
import { describe, firstFound, isFilled, isRecord, jsonOf } from '../site.ts'

/** A card of an MCP server, where the site has one, names the server and its address. */
export const mcpCard: SiteRule = {
  id: 'mcp-card',
  category: 'discovery',
  summary: 'The card of an MCP server, if the site has one, is valid',
  weight: 3,
  fix: 'Serve /.well-known/mcp/server-card.json with name, version and the address of the server in endpoint or remotes.',
  doc: 'https://modelcontextprotocol.io/',
  async check(site) {
    const found = await firstFound(site, MCP_CARD_PATHS)
    if (!found) return skip('The site has no card of an MCP server.')
    if (found.is !== 'answer') return skip(found.reason)
    const card = found.status === 200 ? jsonOf(found) : undefined
    if (!card) return fail('The card of the MCP server is not a JSON object.', describe(found))
    const info = isRecord(card.serverInfo) ? card.serverInfo : card
    if (!isFilled(info.name)) return fail('The card of the MCP server has no name.')
    const address = mcpAddressIn(card)
    if (address === undefined) return fail('The card of the MCP server has no endpoint.')
    return pass('The card of the MCP server is valid.', `${info.name}: ${address}`)
  },
}
