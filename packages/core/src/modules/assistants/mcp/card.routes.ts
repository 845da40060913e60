import { z } from 'zod'
import { sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { lazy } from '../../../kernel/lazy.ts'
import type { McpObject } from '../../../ports/mcp-toolkit.ts'

const CARD_TYPE = 'application/mcp-server-card+json'

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
  const aliasOf = 'getServerCard'
  const addresses: readonly CardAddress[] = [
    { path: `${path}/server-card`, operationId: aliasOf, type: CARD_TYPE },
    { path: `${path}/account/server-card`, operationId: 'getMcpServerCardOfAccount', aliasOf, type: CARD_TYPE },
    ...['/.well-known/mcp/server-card.json', '/.well-known/mcp.json'].map((wellKnown, at) => ({
      path: wellKnown,
      operationId: at === 0 ? 'getWellKnownMcpServerCard' : 'getWellKnownMcp',
      aliasOf,
      type: 'application/json',
      more: { endpoint: url },
    })),
  ]
  for (const { path: address, operationId, aliasOf: main, type, more } of addresses) {
    const body = lazy(() => Buffer.from(JSON.stringify({ ...card, ...more })))
    app.get(
      address,
      {
        config: routeConfig({
          auth: 'none',
          tag: 'assistants',
          operationId,
          aliasOf: main,
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
