import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { listQuery, paginationOf } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, type RouteConfig, routeConfig } from '../../../http/routes.ts'
import { invalidTransition, sessionRequired, validationFailed } from '../../../kernel/errors.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { invalidProof } from '../../../model/gate-proof.ts'
import { addressRefused } from '../../../runtime/outbound/index.ts'
import {
  accessForbidden,
  credentialsOf,
  type Paywall,
  paymentRequired,
  proofReplayed,
} from '../../access/paywall/index.ts'
import {
  deliveryMethodUnsupported,
  tooManyWebhookRequests,
  tooManyWebhooks,
  webhookBacklogFull,
  webhookNotFound,
  webhookSourceUnavailable,
} from './errors.ts'
import {
  attemptList,
  attemptQuery,
  FORMATS_BY_NAME,
  redeliverBody,
  redeliveredSchema,
  replayBody,
  replayedSchema,
  rotatedSchema,
  subscribeBody,
  subscribedSchema,
  subscriptionList,
  subscriptionParams,
  subscriptionSchema,
  subscriptionWithHealth,
  testedSchema,
} from './schemas.ts'
import { serializeAttempt, serializeHealth, serializeMissingScope, serializeWebhook } from './serialize.ts'
import type { WebhookService } from './service.ts'

type Described = Pick<RouteConfig, 'operationId' | 'summary' | 'errors' | 'transitional' | 'problems' | 'recent'>

const reading = (route: Described) =>
  routeConfig({ auth: 'key', scope: 'read:subscriptions', tag: 'webhooks', ...route })
const changing = (route: Described) =>
  routeConfig({ auth: 'key', scope: 'write:subscriptions', tag: 'webhooks', ...route })

/** The configuration of a route that changes the state of a subscription. */
const acting = ({ errors = [], ...route }: Described) =>
  changing({ ...route, errors: [webhookNotFound, invalidTransition, ...errors] })

/** Returns the id of the subscription in the path, and the caller. */
const namedIn = (request: FastifyRequest<{ Params: z.output<typeof subscriptionParams> }>) =>
  [request.params.id, callerOf(request)] as const

/** Sends the response that deliveries were queued. */
function accepted<const Answer extends object>(reply: FastifyReply, subscriptionId: string, answer: Answer) {
  reply.code(202)
  return { status: 'accepted' as const, subscription_id: subscriptionId, ...answer }
}

interface WebhookRouteServices {
  readonly webhooks: WebhookService
  readonly paywall?: Paywall | undefined
}

/** Routes for EEP subscriptions: events delivered to a URL. */
export function webhookRoutes(app: EepRoutes, { webhooks, paywall }: WebhookRouteServices): void {
  app.post(
    '/eep/subscribe',
    {
      config: changing({
        recent: true,
        operationId: 'createWebhook',
        summary: 'Subscribe a receiver to events of a profile, or renew the subscription',
        errors: [
          addressRefused,
          deliveryMethodUnsupported,
          sessionRequired,
          tooManyWebhooks,
          tooManyWebhookRequests,
          paymentRequired,
          accessForbidden,
          proofReplayed,
          invalidProof,
        ],
        problems: 'closed',
      }),
      schema: { body: subscribeBody, response: { 200: subscribedSchema, 201: subscribedSchema } },
    },
    async (request, reply) => {
      const { body } = request
      if (body.delivery_method !== 'webhook') throw deliveryMethodUnsupported()
      if (body.delivery_url === undefined) throw missingUrl()
      const { webhook, isNew, secret, message } = await webhooks.subscribe(
        {
          sourceDid: body.source_did,
          eventTypes: body.event_types,
          deliveryUrl: body.delivery_url,
          deliveryFormat: body.delivery_format && FORMATS_BY_NAME[body.delivery_format],
          filter: body.filter,
          maxBatchSize: body.max_batch_size,
          maxBatchWaitMs: body.max_batch_wait_ms,
          leaseSeconds: body.lease_seconds,
          metadata: body.metadata,
          tier: body.tier,
          credentials: paywall && credentialsOf(request, paywall, body.gate_proofs),
        },
        callerOf(request),
      )
      const unknown = webhooks.unknownTypes(body.event_types)
      const warnings = [
        ...webhooks.missingScopes(callerOf(request), body.event_types).map(serializeMissingScope),
        ...(unknown.length === 0 ? [] : [{ code: 'unknown_type' as const, event_types: [...unknown] }]),
      ]
      reply.code(isNew ? 201 : 200).header('cache-control', 'no-store')
      return {
        ...serializeWebhook(webhook),
        ...(secret === undefined ? {} : { delivery_secret: secret }),
        ...(message === undefined ? {} : { message }),
        ...(warnings.length === 0 ? {} : { warnings }),
      }
    },
  )

  app.get(
    '/eep/subscriptions',
    {
      config: reading({
        operationId: 'listWebhooks',
        summary: 'List your subscriptions, newest first',
        errors: [invalidCursor],
      }),
      schema: { querystring: listQuery, response: { 200: subscriptionList } },
    },
    async (request) => {
      const page = await webhooks.list(callerOf(request), request.query)
      const data = page.items.map(serializeWebhook)
      return { data, subscriptions: data, pagination: paginationOf(page) }
    },
  )

  // EEP defines two addresses for a subscription; the shorter one is deprecated.
  for (const [path, isOld] of [
    ['/eep/subscriptions/:id', false],
    ['/eep/subscribe/:id', true],
  ] as const) {
    app.get(
      path,
      {
        config: reading({
          operationId: isOld ? 'getWebhookAtOldAddress' : 'getWebhook',
          summary: 'Get a subscription with the state of its deliveries',
          errors: [webhookNotFound],
          transitional: isOld,
        }),
        schema: { params: subscriptionParams, response: { 200: subscriptionWithHealth } },
      },
      async (request) => {
        const [id, caller] = namedIn(request)
        const [webhook, health] = await Promise.all([webhooks.get(id, caller), webhooks.getHealth(id, caller)])
        return { ...serializeWebhook(webhook), deliveries: serializeHealth(id, health) }
      },
    )

    app.delete(
      path,
      {
        config: changing({
          operationId: isOld ? 'cancelWebhookAtOldAddress' : 'cancelWebhook',
          summary: 'Cancel a subscription, and delete its secret',
          transitional: isOld,
        }),
        schema: { params: subscriptionParams, response: { 204: z.undefined() } },
      },
      async (request, reply) => {
        await webhooks.cancel(...namedIn(request))
        return reply.code(204).send()
      },
    )
  }

  const moves = [
    ['pause', 'pauseWebhook', 'Pause deliveries, and queue events until they are resumed'],
    ['resume', 'resumeWebhook', 'Resume deliveries, starting with the queued events'],
  ] as const
  for (const [move, operationId, summary] of moves) {
    app.post(
      `/eep/subscriptions/:id/${move}`,
      {
        config: acting({ operationId, summary, errors: move === 'resume' ? [sessionRequired] : [] }),
        schema: { params: subscriptionParams, response: { 200: subscriptionSchema } },
      },
      async (request) => serializeWebhook(await webhooks[move](...namedIn(request))),
    )
  }

  app.post(
    '/eep/subscriptions/:id/test',
    {
      config: acting({
        operationId: 'testWebhook',
        summary: 'Send a test event to the receiver',
        errors: [webhookSourceUnavailable, webhookBacklogFull, tooManyWebhookRequests],
      }),
      schema: { params: subscriptionParams, response: { 202: testedSchema } },
    },
    async (request, reply) =>
      accepted(reply, request.params.id, { event_id: await webhooks.test(...namedIn(request)) }),
  )

  app.post(
    '/eep/subscriptions/:id/redeliver',
    {
      config: acting({
        operationId: 'redeliverWebhookEvents',
        summary: 'Deliver events again under the same ids',
        errors: [webhookBacklogFull, tooManyWebhookRequests],
      }),
      schema: { params: subscriptionParams, body: redeliverBody, response: { 202: redeliveredSchema } },
    },
    async (request, reply) =>
      accepted(reply, request.params.id, await webhooks.redeliver(...namedIn(request), request.body.event_ids)),
  )

  app.post(
    '/eep/subscriptions/:id/replay',
    {
      config: acting({
        operationId: 'replayWebhookEvents',
        summary: 'Deliver all stored events since a given time',
        errors: [webhookBacklogFull, tooManyWebhookRequests],
      }),
      schema: { params: subscriptionParams, body: replayBody, response: { 202: replayedSchema } },
    },
    async (request, reply) =>
      accepted(reply, request.params.id, {
        queued: await webhooks.replay(...namedIn(request), new Date(request.body.since)),
      }),
  )

  app.post(
    '/eep/subscriptions/:id/rotate-secret',
    {
      config: acting({
        recent: true,
        operationId: 'rotateWebhookSecret',
        summary: 'Replace the secret; both secrets sign for 24 hours',
      }),
      schema: { params: subscriptionParams, response: { 200: rotatedSchema } },
    },
    async (request, reply) => {
      const { webhook, secret } = await webhooks.rotateSecret(...namedIn(request))
      reply.header('cache-control', 'no-store')
      return {
        subscription_id: webhook.id,
        delivery_secret: secret,
        previous_secret_until: webhook.previousSecretUntil?.toISOString() ?? null,
      }
    },
  )

  app.get(
    '/eep/subscriptions/:id/delivery-log',
    {
      config: reading({
        operationId: 'listWebhookAttempts',
        summary: 'List the delivery attempts of the last 30 days, newest first',
        errors: [webhookNotFound, invalidCursor],
      }),
      schema: { params: subscriptionParams, querystring: attemptQuery, response: { 200: attemptList } },
    },
    async (request) => {
      const [id, caller] = namedIn(request)
      const page = await webhooks.listAttempts(id, caller, request.query)
      const data = page.items.map((attempt) => serializeAttempt(id, attempt))
      return { subscription_id: id, data, attempts: data, pagination: paginationOf(page) }
    },
  )
}

const missingUrl = () =>
  validationFailed({
    details: {
      issues: [{ path: '/delivery_url', code: 'invalid_type', message: 'Required for delivery_method webhook' }],
    },
  })
