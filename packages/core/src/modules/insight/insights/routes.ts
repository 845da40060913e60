import { z } from 'zod'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { KNOWN_AGENTS_SOURCE } from '../../../model/known-agents.ts'
import { notProfileOwner, profileNotFound } from '../../profiles/profiles/index.ts'
import { AGENT_KINDS } from '../analytics/index.ts'
import { invalidPeriod } from './errors.ts'
import type { InsightService } from './service.ts'

export interface InsightRouteServices {
  readonly insights: InsightService
}

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
const moment = z.iso.datetime()
const count = z.int()

const insightQuery = z.object({
  profile_id: z.coerce.number().int().min(1),
  from: time.optional().meta({
    description: 'Within the time for which hourly figures are kept, by default 90 days. Default: 30 days before `to`',
  }),
  to: time.optional().meta({ description: 'Until before this time. Default: now' }),
})

const price = z.string().nullable().meta({ description: 'Amount and currency: `0.05 USDC`' })

const insightSchema = z
  .object({
    profile_id: z.int(),
    from: moment,
    to: moment,
    agents: z.array(
      z.object({
        kind: z.enum(AGENT_KINDS).meta({
          description:
            '`app` is a connected app; `signed` is proven by a signature of its operator; `named` and `web_bot_auth` are claims without proof',
        }),
        name: z.string().nullable().meta({ description: 'A DID, an origin, a user agent family or a host' }),
        agent_id: z
          .string()
          .nullable()
          .meta({ description: 'Instead of a name, for API keys and for DIDs of this service' }),
        operator: z.string().nullable(),
        purpose: z.string().nullable(),
        reads: count,
        refusals: count,
        searches: count,
        sales: count.nullable().meta({
          description:
            'Null for agents that do not prove their DID or operator, and for roles that may not read payments',
        }),
        pages: z.array(z.object({ path: z.string(), count })),
        refused: z.array(z.object({ path: z.string(), price, count })),
        queries: z.array(z.object({ query: z.string(), count })),
      }),
    ),
    paywalls: z.array(
      z.object({
        path: z.string(),
        agents: count,
        refusals: count,
        readers: count,
        proven_bots: count.meta({ description: 'Agents whose operator signed the requests' }),
        paying_bots: count.nullable().meta({
          description: 'Those of the proven ones that paid in the period; null for roles that may not read payments',
        }),
        median_price: price,
      }),
    ),
    suggestions: z.array(
      z.object({ rule: z.string(), path: z.string().nullable(), agents: count, message: z.string() }),
    ),
    known_agents: z.object({ source: z.url(), date: z.iso.date() }),
  })
  .meta({ id: 'Insight' })

/** What agents do at profiles, for their teams. */
export function insightRoutes(app: EepRoutes, { insights }: InsightRouteServices): void {
  app.get(
    '/insights/agents',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'read:analytics',
        tag: 'analytics',
        operationId: 'getAgentInsights',
        tool: {
          title: 'Get insights about agents',
          description: 'Get which agents read, searched or were refused at a profile of the account.',
          openWorld: false,
        },
        summary: 'Get which agents read, searched or were refused, with suggestions; team only',
        errors: [notProfileOwner, profileNotFound, invalidPeriod],
      }),
      schema: { querystring: insightQuery, response: { 200: insightSchema } },
    },
    async (request) => {
      const { profile_id: profileId, ...period } = request.query
      const found = await insights.ofAgents(profileId, period, callerOf(request))
      return {
        profile_id: found.profileId,
        from: found.from.toISOString(),
        to: found.to.toISOString(),
        agents: found.agents.map(({ id, pages, refused, queries, ...agent }) => ({
          ...agent,
          agent_id: id,
          pages: [...pages],
          refused: [...refused],
          queries: [...queries],
        })),
        paywalls: found.paywalls.map(({ medianPrice, provenBots, payingBots, ...paywall }) => ({
          ...paywall,
          proven_bots: provenBots,
          paying_bots: payingBots,
          median_price: medianPrice,
        })),
        suggestions: [...found.suggestions],
        known_agents: { source: KNOWN_AGENTS_SOURCE.url, date: KNOWN_AGENTS_SOURCE.date },
      }
    },
  )
}
