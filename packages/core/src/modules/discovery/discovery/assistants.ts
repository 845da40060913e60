import { list } from '../../../kernel/markdown.ts'
import type { Offer } from './available-routes.ts'
import type { ServiceInfo } from './manifest.ts'

/** The card of the server for assistants, at an address that is the same for every path of the server. */
export const MCP_CARD = '/.well-known/mcp/server-card.json'
/** The guide to OAuth for programs. */
export const OAUTH_GUIDE = '/auth.md'

const OAUTH_METADATA = '/.well-known/oauth-authorization-server'

/** Where assistants connect: each part exists only while the service has its module. */
export interface AssistantAddresses {
  readonly mcp?: {
    /** Answers without an account. */
    readonly url: string
    /** Answers only with a credential. */
    readonly account_url: string
    readonly server_card: string
  }
  readonly oauth?: {
    readonly issuer: string
    readonly metadata: string
    readonly guide: string
  }
}

/** The addresses of the servers for assistants among the registered routes. */
export function assistantsOf({ publicUrl }: Pick<ServiceInfo, 'publicUrl'>, offer: Offer): AssistantAddresses {
  const at = (path: string) => publicUrl + path
  // Options of its module move the server.
  const path = offer.pathOf('sendMcpMessage')
  return {
    ...(path !== undefined && {
      mcp: { url: at(path), account_url: at(`${path}/account`), server_card: at(MCP_CARD) },
    }),
    ...(offer.has(OAUTH_METADATA) && {
      oauth: { issuer: publicUrl, metadata: at(OAUTH_METADATA), guide: at(OAUTH_GUIDE) },
    }),
  }
}

/** The same as lines of key and value. */
export const assistantLines = ({ mcp, oauth }: AssistantAddresses): readonly (readonly [string, string])[] => [
  ...(mcp ? [['MCP', mcp.url] as const] : []),
  ...(oauth ? [['OAuth', oauth.metadata] as const] : []),
]

/** What assistants need to know before they connect, as Markdown; empty without a server for them. */
export function assistantsText(addresses: AssistantAddresses): string {
  const { mcp, oauth } = addresses
  const said = [
    mcp && 'An assistant connects to the address of MCP: search, reading and paying need no account.',
    oauth && `A person lets an assistant act for a profile by OAuth; how: ${oauth.guide}`,
  ].filter((sentence) => sentence !== undefined)
  if (said.length === 0) return ''
  return [list(assistantLines(addresses).map(([key, url]) => `${key}: ${url}`)), said.join(' ')].join('\n\n')
}
