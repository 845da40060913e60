import { z } from 'zod'
import { sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { lazy } from '../../../kernel/lazy.ts'
import type { McpObject } from '../../../ports/mcp-toolkit.ts'

const CARD_TYPE = 'application/mcp-server-card+json'
const JSON_TYPE = 'application/json'

const cardSchema = z
  .looseObject({ name: z.string(), version: z.string(), title: z.string(), description: z.string() })
  .meta({ id: 'McpServerCard' })

interface CardAddress {
  readonly path: string
  readonly operationId: string
  readonly aliasOf?: string | undefined
  readonly type: string
  /** Members for readers of the address. */
  readonly more?: McpObject | undefined
}

/** The card of the server: beside both of its addresses, and at two well-known ones that earlier readers know. */
export function cardRoutes(
  app: EepRoutes,
  { path, url, card }: { readonly path: string; readonly url: string; readonly card: McpObject },
): void {
  const more = { endpoint: url }
  const addresses: readonly CardAddress[] = [
    { path: `${path}/server-card`, operationId: 'getServerCard', type: CARD_TYPE },
    {
      path: `${path}/account/server-card`,
      operationId: 'getMcpServerCardOfAccount',
      aliasOf: 'getServerCard',
      type: CARD_TYPE,
    },
    { path: '/.well-known/mcp/server-card.json', operationId: 'getWellKnownMcpServerCard', type: JSON_TYPE, more },
    {
      path: '/.well-known/mcp.json',
      operationId: 'getWellKnownMcp',
      aliasOf: 'getWellKnownMcpServerCard',
      type: JSON_TYPE,
      more,
    },
  ]
  for (const { path: address, operationId, aliasOf, type, more: added } of addresses) {
    const body = lazy(() => Buffer.from(JSON.stringify({ ...card, ...added })))
    app.get(
      address,
      {
        config: routeConfig({
          auth: 'none',
          tag: 'assistants',
          operationId,
          aliasOf,
          summary: 'Get the card of the server for assistants (MCP)',
          produces: [type],
        }),
        schema: { response: { 200: cardSchema, 304: z.undefined() } },
      },
      async (request, reply) => {
        sendWithEtag(request, reply, { body: body(), type, cacheControl: 'public, max-age=3600' })
        return reply
      },
    )
  }
}
