import { z } from 'zod'
import { callerOf } from '../../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../../http/routes.ts'
import { notFound } from '../../../../kernel/errors.ts'
import { profileMoved } from '../../../profiles/profiles/index.ts'
import {
  crawlersPayBody,
  type GateService,
  presetNotOpen,
  presetParts,
  priceNotPayable,
  serializeGateWarning,
  tierExists,
} from '../../gates/index.ts'
import { presetSchema } from '../access/decision-schemas.ts'
import { explainAudiences } from '../access/explain-audiences.ts'

const did = z.object({ did: z.string().min(1).max(512) })

/** Presets: gate configurations that are made for their owner, who sends them with `PUT /eep/gates/{did}`. */
export function presetRoutes(
  app: EepRoutes,
  { gates }: { readonly gates: Pick<GateService, 'withCrawlerPrice'> },
): void {
  app.post(
    '/eep/gates/:did/presets/crawlers_pay',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'write:gates',
        tag: 'gates',
        operationId: 'previewCrawlerPrice',
        summary: 'Preview the gate configuration with a price for programs',
        errors: [notFound, profileMoved, tierExists, presetNotOpen, priceNotPayable],
      }),
      schema: { params: did, body: crawlersPayBody, response: { 200: presetSchema } },
    },
    async (request, reply) => {
      const { params, body } = request
      const { config, tag, warnings } = await gates.withCrawlerPrice(params.did, body, callerOf(request))
      reply.header('etag', tag)
      return {
        config,
        explain: presetParts(config, body).map(({ access, example, closer_tiers: closer, open }) => ({
          access,
          example,
          audiences: explainAudiences(config, example),
          closer_tiers: [...closer],
          open: [...open],
        })),
        warnings: warnings.map(serializeGateWarning),
      }
    },
  )
}
