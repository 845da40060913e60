import { z } from 'zod'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { fileQuotaReached, notFound } from '../../../kernel/errors.ts'
import { isNameable, NAMEABLE } from '../../../kernel/text-fields.ts'
import { priceSchema } from '../../../model/gate-config.ts'
import { isWildcard, normalizeResource, WRITTEN_RESOURCE } from '../../../model/resource-name.ts'
import { priceNotFound, priceNotPayable, staleGate, tierInUse } from './errors.ts'
import type { PricedResource } from './resource-price.ts'
import { gateWarningSchema, serializeGateWarning } from './schemas.ts'
import type { GateService, GateWarning } from './service.ts'

const params = z.object({
  resource: z
    .string()
    .max(512)
    .regex(WRITTEN_RESOURCE)
    .refine((resource) => !isWildcard(resource), 'Must be one resource; edit the gate to sell patterns')
    .transform(normalizeResource),
})
const querystring = z.object({ profile_id: z.coerce.number().int().min(1) })
const label = z.string().min(1).max(128).refine(isNameable, NAMEABLE)

const priceBody = z.strictObject({
  ...priceSchema.shape,
  label: label.optional().meta({ description: 'The name of the tier. Default: it is kept' }),
  allow: z.literal('unpayable').optional().meta({ description: 'Saves a price that no payment method takes, too' }),
})

const resourcePriceSchema = z
  .object({
    resource: z.string(),
    tier: z.string().nullable().meta({ description: 'The tier of this price alone. Null without a price' }),
    price: z.object({ ...priceSchema.shape, label: z.string().nullable() }).nullable(),
    other_tiers: z.array(z.string()).meta({ description: 'The other tiers with requirements that cover it' }),
    warnings: z.array(gateWarningSchema).optional(),
  })
  .meta({ id: 'ResourcePrice' })

const serializePrice = ({ resource, tier, price, otherTiers }: PricedResource, warnings?: readonly GateWarning[]) => ({
  resource,
  tier: tier ?? null,
  price: price ? { ...price, label: price.label ?? null } : null,
  other_tiers: [...otherTiers],
  ...(warnings && warnings.length > 0 && { warnings: warnings.map(serializeGateWarning) }),
})

/** Prices of single resources, each in a tier of the gate. */
export function priceRoutes(app: EepRoutes, { gates }: { readonly gates: GateService }): void {
  const path = '/manage/prices/:resource'
  const common = { auth: 'key', scope: 'write:gates', tag: 'gates' } as const

  app.get(
    path,
    {
      config: routeConfig({
        ...common,
        operationId: 'getPrice',
        summary: 'Get the price of a resource, with the `ETag` of the gate',
        errors: [notFound],
      }),
      schema: { params, querystring, response: { 200: resourcePriceSchema } },
    },
    async (request, reply) => {
      const { profile_id: profileId } = request.query
      const { priced, tag } = await gates.getPrice(profileId, request.params.resource, callerOf(request))
      reply.header('etag', tag).header('cache-control', 'private, no-store')
      return serializePrice(priced)
    },
  )

  app.put(
    path,
    {
      config: routeConfig({
        ...common,
        operationId: 'setPrice',
        summary: 'Set the price of a resource in a separate tier; `If-Match` is that of the gate',
        errors: [notFound, staleGate, tierInUse, priceNotPayable, fileQuotaReached],
      }),
      schema: { params, querystring, body: priceBody, response: { 200: resourcePriceSchema } },
    },
    async (request, reply) => {
      const { allow, ...price } = request.body
      const saved = await gates.setPrice(
        { profileId: request.query.profile_id, resource: request.params.resource },
        price,
        callerOf(request),
        { ifMatch: request.headers['if-match'], allowsUnpayable: allow === 'unpayable' },
      )
      reply.header('etag', saved.tag)
      return serializePrice(saved.priced, saved.warnings)
    },
  )

  app.delete(
    path,
    {
      config: routeConfig({
        ...common,
        operationId: 'deletePrice',
        summary: 'Remove the price of a resource and no other tier',
        errors: [notFound, staleGate, priceNotFound],
      }),
      schema: { params, querystring, response: { 200: resourcePriceSchema } },
    },
    async (request, reply) => {
      const saved = await gates.deletePrice(
        { profileId: request.query.profile_id, resource: request.params.resource },
        callerOf(request),
        { ifMatch: request.headers['if-match'] },
      )
      reply.header('etag', saved.tag)
      return serializePrice(saved.priced)
    },
  )
}
