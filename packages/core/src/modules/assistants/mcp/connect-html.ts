import { formView, titled } from '../../../http/html/form-view.ts'
import { type Html, html } from '../../../http/html/html.ts'
import type { HtmlView, Site } from '../../../http/html/view.ts'
import { connectMessages } from './messages.ts'
import type { Tool } from './tools/tool.ts'

interface Connection {
  readonly name: string
  /** The address of the server. */
  readonly url: string
  readonly tools: readonly Tool[]
}

/** The name of the server in files and commands of clients. */
const shortName = (url: string): string => new URL(url).hostname.replaceAll(/[^a-z\d]+/gi, '-')

const codeBlock = (text: string): Html => html`<pre dir="ltr" lang="en" translate="no"><code>${text}</code></pre>`

const toolList = (tools: readonly Tool[]): Html =>
  html`<ul lang="en">${tools.map(({ name, title }) => html`<li>${title} (<code>${name}</code>)</li>`)}</ul>`

/** The page that explains how to connect an assistant: the addresses, one block for each client, and the tools. */
export function connectView(site: Site, { name, url, tools }: Connection): HtmlView {
  const say = connectMessages(site)
  const own = shortName(url)
  const servers = JSON.stringify({ mcpServers: { [own]: { url } } }, undefined, 2)
  const vsCode = JSON.stringify({ servers: { [own]: { type: 'http', url } } }, undefined, 2)
  const [open, closed] = [
    tools.filter(({ access }) => access === 'anyone'),
    tools.filter(({ access }) => access !== 'anyone'),
  ]
  return {
    ...formView({
      ...titled(site, say('title')),
      lead: say('lead', { name }),
      body: html`<h2>${say('address')}</h2>
${codeBlock(url)}
<p>${say('accountAddress')}</p>
${codeBlock(`${url}/account`)}
<h2>${say('clients')}</h2>
<p>${say('byAddress', { client: 'Claude' })}</p>
<p>${say('byAddress', { client: 'ChatGPT' })}</p>
<p>${say('byCommand', { client: 'Claude Code' })}</p>
${codeBlock(`claude mcp add --transport http ${own} ${url}`)}
<p>${say('byFile', { client: 'Cursor', file: '~/.cursor/mcp.json' })}</p>
${codeBlock(servers)}
<p>${say('byFile', { client: 'VS Code', file: '.vscode/mcp.json' })}</p>
${codeBlock(vsCode)}
<p>${say('byCommand', { client: 'mcpc' })}</p>
${codeBlock(`mcpc connect ${url} @${own}`)}
<p>${say('key')}</p>
<h2>${say('tools')}</h2>
${toolList(open)}
<h2>${say('toolsOfAccount')}</h2>
${toolList(closed)}`,
    }),
    hasForm: false,
  }
}
