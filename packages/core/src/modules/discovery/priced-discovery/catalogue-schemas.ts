import { z } from 'zod'
import { isStorable, STORABLE } from '../../../kernel/text-fields.ts'
import { ITEM_TYPES } from './catalogue-item.ts'

/** A text that was sent once. Anything else is a value that no resource has. */
const filter = z.unknown().optional()

const filters = {
  type: filter.describe('The type: `mcp` for tools, else `http`'),
  payTo: filter.describe('The address that is paid, in any case'),
  scheme: filter.describe('The scheme; every offer of this catalogue has `exact`'),
  network: filter.describe('CAIP-2, or the name of x402 version 1: `eip155:8453`, `base`'),
  extensions: filter.describe('An extension that the resource has: `bazaar` or `payment-identifier`'),
  profile: filter.describe('The seller: its DID, its URL, or `u/ada`'),
}

export const MAX_LIMIT = 100
export const DEFAULT_LIMIT = 20
export const MAX_OFFSET = 1_000_000

const limit = z.unknown().optional().describe(`1 to ${MAX_LIMIT}; ${DEFAULT_LIMIT} without it. Others are clamped`)

/** Other parameters are named in the response. */
export const resourcesQuery = z.looseObject({
  ...filters,
  limit,
  offset: z.unknown().optional().describe('0 to 1,000,000; 0 without it. Others are clamped'),
})

export const searchResourcesQuery = z.looseObject({
  query: z.string().trim().min(1).max(256).refine(isStorable, STORABLE).describe('Words, as in `q` of `/search`'),
  ...filters,
  limit,
  cursor: z.string().min(1).max(8_192).optional().describe('`pagination.cursor` of the page before'),
})

const item = z
  .looseObject({
    resource: z.string().describe('The URL of the resource'),
    type: z.enum(ITEM_TYPES).describe('`mcp` for a tool, which is called by MCP'),
    x402Version: z.literal(2),
    accepts: z.array(z.looseObject({})).describe('The offers of the 402 with the scheme `exact`, without typed data'),
    lastUpdated: z.string().describe('ISO 8601'),
    description: z.string(),
    mimeType: z.string().optional(),
    serviceName: z.string().optional(),
    tags: z.array(z.string()).optional(),
    iconUrl: z.string().optional(),
    extensions: z.looseObject({}),
  })
  .meta({ id: 'PricedResource' })

const unappliedFilters = z
  .array(z.string())
  .optional()
  .describe('The parameters of the request that this catalogue does not filter by')

export const resourcesAnswer = z
  .object({
    x402Version: z.literal(2),
    items: z.array(item),
    pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
    unappliedFilters,
  })
  .meta({ id: 'PricedResources' })

export const foundResourcesAnswer = z
  .object({
    x402Version: z.literal(2),
    resources: z.array(item),
    pagination: z
      .object({ limit: z.int().describe('The number of resources of this page'), cursor: z.string() })
      .nullable()
      .describe('Null on the last page'),
    partialResults: z
      .boolean()
      .optional()
      .describe('True when the page has fewer resources than were asked for, and the next one may have more'),
    unappliedFilters,
  })
  .meta({ id: 'FoundPricedResources' })
