import { findMcpAddress, mcpClient } from '../mcp-site.ts'
import { fail, pass, type SiteRule, skip } from '../rule.ts'
import { describe, isFilled, isRecord } from '../site.ts'

type Tool = Readonly<Record<string, unknown>>

/** A tool that only reads and needs no arguments. */
function isFreeRead({ annotations, inputSchema }: Tool): boolean {
  const { required } = isRecord(inputSchema) ? inputSchema : {}
  const needsNothing = required === undefined || (Array.isArray(required) && required.length === 0)
  return isRecord(annotations) && annotations.readOnlyHint === true && needsNothing
}

/** The server that the card names answers anonymous clients: with its description, its tools, and a call that only reads. */
export const mcpEndpoint: SiteRule = {
  id: 'mcp-endpoint',
  category: 'discovery',
  summary: 'The MCP server that the site names answers, lists its tools, and lets an anonymous client read',
  weight: 4,
  fix: 'Let the address in your server card answer initialize, tools/list and a tool that only reads, without a credential.',
  doc: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/transports',
  async check(site) {
    const address = await findMcpAddress(site)
    if (address === undefined) return skip('The site names no MCP server.')
    const url = new URL(address, site.url)
    if (url.origin !== site.url.origin) return skip('The MCP server is on another host.')
    const client = mcpClient(site, url.href)

    const opened = await client.initialize()
    if (opened.is === 'none') {
      const { response } = opened
      if (response.is !== 'answer') return skip(response.reason)
      if (response.status === 401 || response.status === 403) return skip('The MCP server needs a credential.')
      return fail('The MCP server does not answer initialize.', describe(response))
    }
    const { serverInfo } = opened.result
    if (!isRecord(serverInfo) || !isFilled(serverInfo.name)) return fail('The MCP server does not give its name.')

    const listed = await client.request('tools/list')
    if (listed.is === 'none') {
      if (listed.response.is !== 'answer') return skip(listed.response.reason)
      return fail('The MCP server does not list its tools.', describe(listed.response))
    }
    const { tools } = listed.result
    if (!Array.isArray(tools)) return fail('The list of tools is not a list.')
    const tool = tools.filter(isRecord).find(isFreeRead)
    if (!tool || !isFilled(tool.name)) return pass('The MCP server answers and lists its tools.', serverInfo.name)

    const called = await client.request('tools/call', { name: tool.name, arguments: {} })
    if (called.is === 'none') {
      if (called.response.is !== 'answer') return skip(called.response.reason)
      return fail(`The tool ${tool.name} does not answer.`, describe(called.response))
    }
    if (!Array.isArray(called.result.content)) return fail(`The result of ${tool.name} has no content.`)
    return pass(
      'The MCP server answers, lists its tools, and lets an anonymous client read.',
      `${serverInfo.name}: ${tool.name}`,
    )
  },
}
