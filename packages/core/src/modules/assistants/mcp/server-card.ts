import type { McpObject, McpServerInfo } from '../../../ports/mcp-toolkit.ts'

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'
const MAX_DESCRIPTION = 100

interface CardFacts {
  readonly info: McpServerInfo
  readonly description: string
  readonly publicUrl: string
  readonly path: string
  readonly revisions: readonly string[]
}

/** `example.profiles/assistants`: the host from right to left, and the name of the service. */
function cardName(publicUrl: string, name: string): string {
  const { hostname } = new URL(publicUrl)
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return `${hostname.split('.').toReversed().join('.')}/${slug || 'service'}`
}

/** The card of the server: what registries and clients read before they connect. */
export function serverCard({ info, description, publicUrl, path, revisions }: CardFacts): McpObject {
  const remote = (address: string) => ({
    type: 'streamable-http',
    url: `${publicUrl}${address}`,
    supportedProtocolVersions: revisions,
  })
  return {
    $schema: SCHEMA,
    name: cardName(publicUrl, info.name),
    version: info.version,
    title: info.title,
    description: description.slice(0, MAX_DESCRIPTION),
    websiteUrl: info.websiteUrl,
    remotes: [remote(path), remote(`${path}/account`)],
  }
}
