import { z } from 'zod'
import { listQuery } from '../../../http/documents/lists.ts'
import { formatQuery, invalidFormat, protocolTypes } from '../../../http/documents/negotiation.ts'
import { sendProtocolDocument } from '../../../http/documents/send-with-etag.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import type { PlanTable } from '../../../model/plan.ts'
import { billingDeclined, billingFailed } from '../../../ports/billing-processor.ts'
import {
  alreadySubscribed,
  billingUnsupported,
  noSubscription,
  planCancelled,
  planNotForSale,
  planNotPaid,
  prepaidPlan,
  subscriptionBusy,
} from './errors.ts'
import type { Pricing } from './pricing.ts'
import {
  allPricingSchema,
  changeBody,
  changeOf,
  currentQuery,
  currentSchema,
  invoicesSchema,
  portalSchema,
  pricingBody,
  pricingChanges,
  pricingParams,
  pricingSchema,
  serializeInvoices,
  serializePricing,
  serializeSubscription,
  serializeTiers,
  startedSchema,
  startQuery,
  subscriptionSchema,
  tiersSchema,
} from './schemas.ts'
import type { SubscriptionService } from './service.ts'
import { webhookRoutes } from './webhook.routes.ts'

const TAG = 'subscriptions'
const SETTINGS = '/admin/settings/subscription-pricing'

export interface SubscriptionRoutesServices {
  readonly subscriptions: SubscriptionService
  readonly pricing: Pricing
}

/** Routes of plans and their prices. */
function pricingRoutes(app: EepRoutes, { pricing }: SubscriptionRoutesServices, planLimits: PlanTable): void {
  app.get(
    '/tiers',
    {
      config: routeConfig({
        auth: 'none',
        tag: TAG,
        operationId: 'listTiers',
        summary: 'List the tiers with their limits, commissions and prices',
        errors: [invalidFormat],
        produces: protocolTypes(),
      }),
      schema: { querystring: formatQuery, response: { 200: tiersSchema, 304: z.undefined() } },
    },
    async (request, reply) => {
      const all = await pricing.shown()
      // The response is the same for all callers until a price changes.
      const body = request.eep.representations.get(all, 'json', () =>
        Buffer.from(JSON.stringify(serializeTiers(all, planLimits))),
      )
      return sendProtocolDocument(request, reply, { title: 'Tiers', body, cacheControl: 'public, max-age=60' })
    },
  )

  app.get(
    SETTINGS,
    {
      config: routeConfig({
        auth: 'admin',
        tag: 'admin',
        operationId: 'getTierSettings',
        summary: 'List the prices of the tiers for new subscriptions',
      }),
      schema: { response: { 200: allPricingSchema } },
    },
    async () => ({ tiers: (await pricing.all()).map(serializePricing) }),
  )

  app.put(
    `${SETTINGS}/:tier`,
    {
      config: routeConfig({
        auth: 'admin',
        tag: 'admin',
        operationId: 'updateTierSettings',
        summary: 'Update the price of a tier; existing subscriptions keep theirs',
      }),
      schema: { params: pricingParams, body: pricingBody, response: { 200: pricingSchema } },
    },
    async (request) =>
      serializePricing(await pricing.edit(request.params.tier, pricingChanges(request.body), callerOf(request))),
  )
}

/** Routes for subscriptions: an account's subscription, checkout pages, prices, and webhooks of the processor. */
export function subscriptionRoutes(
  app: EepRoutes,
  services: SubscriptionRoutesServices,
  { planLimits }: { readonly planLimits: PlanTable },
): void {
  const { subscriptions } = services
  const { notConfigured } = subscriptions

  app.get(
    '/account/subscription',
    {
      config: routeConfig({
        auth: 'bearer',
        tag: TAG,
        operationId: 'getSubscription',
        summary: 'Get the subscription of the account, or null',
        secrets: ['checkout_id'],
        page: '/account/plan',
      }),
      schema: { querystring: currentQuery, response: { 200: currentSchema } },
    },
    async (request, reply) => {
      const found = await subscriptions.get(callerOf(request), request.query.checkout_id)
      reply.header('cache-control', 'private, no-store')
      return { subscription: found ? serializeSubscription(found) : null }
    },
  )

  app.delete(
    '/account/subscription',
    {
      config: routeConfig({
        auth: 'bearer',
        tag: TAG,
        operationId: 'cancelSubscription',
        summary: 'Cancel the subscription at the end of the paid period',
        errors: [noSubscription, subscriptionBusy, billingFailed, notConfigured],
      }),
      schema: { response: { 200: subscriptionSchema } },
    },
    async (request) => serializeSubscription(await subscriptions.cancel(callerOf(request))),
  )

  app.patch(
    '/account/subscription',
    {
      config: routeConfig({
        auth: 'bearer',
        tag: TAG,
        operationId: 'updateSubscription',
        summary: 'Change the plan, cancel it at the end of the period, or continue it',
        errors: [
          noSubscription,
          prepaidPlan,
          planCancelled,
          planNotPaid,
          planNotForSale,
          billingDeclined,
          billingUnsupported,
          subscriptionBusy,
          billingFailed,
          notConfigured,
        ],
      }),
      schema: { body: changeBody, response: { 200: subscriptionSchema } },
    },
    async (request) => serializeSubscription(await subscriptions.change(callerOf(request), changeOf(request.body))),
  )

  app.post(
    '/account/subscription/portal',
    {
      config: routeConfig({
        auth: 'bearer',
        tag: TAG,
        operationId: 'createBillingPortal',
        summary: 'Open the page of the processor where the account changes how it pays',
        errors: [noSubscription, prepaidPlan, billingUnsupported, billingFailed, notConfigured],
      }),
      schema: { response: { 200: portalSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'private, no-store')
      return subscriptions.openPortal(callerOf(request))
    },
  )

  app.get(
    '/account/invoices',
    {
      config: routeConfig({
        auth: 'bearer',
        tag: TAG,
        operationId: 'listInvoices',
        summary: 'List the invoices of the account, the latest first',
        page: '/account/plan',
        errors: [invalidCursor, billingUnsupported, billingFailed, notConfigured],
      }),
      schema: { querystring: listQuery, response: { 200: invoicesSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'private, no-store')
      return serializeInvoices(await subscriptions.listInvoices(callerOf(request), request.query))
    },
  )

  app.post(
    '/checkout/start-trial',
    {
      config: routeConfig({
        auth: 'bearer',
        tag: TAG,
        operationId: 'createSubscriptionCheckout',
        summary: 'Create a checkout page for a subscription, with a trial unless the account had one',
        errors: [alreadySubscribed, subscriptionBusy, billingFailed, notConfigured],
      }),
      schema: { querystring: startQuery, response: { 200: startedSchema } },
    },
    async (request) => {
      const { id, url } = await subscriptions.startTrial(callerOf(request), request.query)
      return { checkout_url: url, checkout_id: id }
    },
  )

  pricingRoutes(app, services, planLimits)
  webhookRoutes(app, services)
}
