import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import {
  defineError,
  forbidden,
  insufficientScope,
  internalError,
  invalidApiKey,
  notFound,
  unauthenticated,
  validationFailed,
} from '../kernel/errors.ts'
import { lazy } from '../kernel/lazy.ts'
import { storageUnavailable } from '../ports/storage/storage.ts'
import { conflictingAgentDid } from './agent-did.ts'
import { csrf } from './authenticate.ts'
import type { HttpEnvironment } from './environment.ts'
import { malformedJson, payloadTooLarge, unsupportedMediaType } from './error-handler.ts'
import {
  idempotencyAnswerGone,
  idempotencyInFlight,
  idempotencyMismatch,
  tooManyIdempotencyKeys,
} from './idempotency/keep-answers.ts'
import { nestedTooDeeply } from './json-body.ts'
import { metricsRoute } from './metrics.routes.ts'
import { type OpenApiDocument, openApiDocument, type RegisteredRoute } from './openapi.ts'
import { representationChanged } from './public-document.ts'
import { rateLimited } from './rate-limit.ts'
import { type EepRoutes, routeConfig } from './routes.ts'
import { scriptRoute } from './script.routes.ts'
import { sendTagged } from './tagged-answer.ts'

const notReady = defineError('not_ready', 503, 'The service is not ready to serve requests')

const SHARED_ERRORS = {
  every: [conflictingAgentDid, rateLimited, internalError, storageUnavailable],
  authenticated: [unauthenticated, invalidApiKey, insufficientScope, forbidden, csrf],
  withInput: [validationFailed, malformedJson, nestedTooDeeply, payloadTooLarge, unsupportedMediaType],
  conditional: [representationChanged],
  withIds: [notFound],
  idempotent: [
    validationFailed,
    idempotencyInFlight,
    idempotencyAnswerGone,
    idempotencyMismatch,
    tooManyIdempotencyKeys,
  ],
}

const health = z.object({ status: z.literal('ok'), ok: z.literal(true) })
const degradedHealth = z.object({
  status: z.literal('degraded'),
  degraded: z
    .record(z.string(), z.literal('unavailable'))
    .describe(
      'The unavailable parts: blobs, billing, mail, search, embedder, the id of a rail, or a check of a module of the host',
    ),
})
const ALIVE = { status: 'ok', ok: true } as const

/** Checks that the process is alive, and that it can serve requests. */
export function healthRoutes(app: EepRoutes, environment: Pick<HttpEnvironment, 'readiness'>): void {
  const probe = { auth: 'none', limit: 'exempt', tag: 'system' } as const

  for (const path of ['/health/live', '/health', '/healthz']) {
    app.get(
      path,
      {
        config: routeConfig({
          ...probe,
          operationId: 'getLiveness',
          summary: 'Check that the process is alive',
          alias: path !== '/health/live',
        }),
        schema: { response: { 200: health } },
      },
      async (_request, reply) => {
        reply.header('cache-control', 'no-store')
        return ALIVE
      },
    )
  }

  app.get(
    '/health/ready',
    {
      config: routeConfig({
        ...probe,
        operationId: 'getReadiness',
        summary: 'Check that the service can serve requests',
        errors: [notReady],
      }),
      schema: { response: { 200: z.union([health, degradedHealth]) } },
    },
    async (_request, reply) => {
      const readiness = await environment.readiness()
      reply.header('cache-control', 'no-store')
      if (readiness.status === 'not_ready') {
        throw notReady({ details: readiness.reasons, headers: { 'retry-after': '2' } })
      }
      return readiness.status === 'ready' ? ALIVE : readiness
    },
  )
}

/** The script of pages, the metrics and the OpenAPI document. Returns the function that creates the document at its first call. */
export function systemRoutes(
  app: EepRoutes,
  environment: HttpEnvironment,
  registered: () => readonly RegisteredRoute[],
): () => Promise<OpenApiDocument> {
  scriptRoute(app)
  if (environment.metricsAccess) metricsRoute(app, environment.metricsAccess)
  const described = lazy(async () => {
    const { name: title, description, publicUrl, cookies } = environment
    const info = { title, description, serverUrl: publicUrl + app.prefix, sessionCookie: cookies.names.session }
    return openApiDocument([...registered(), ...environment.hostRoutes()], info, SHARED_ERRORS)
  })
  const description = lazy(async () => {
    const document = await described()
    await setImmediate()
    return Buffer.from(JSON.stringify(document))
  })
  app.get(
    '/docs/openapi.json',
    {
      config: routeConfig({
        auth: 'none',
        tag: 'discovery',
        operationId: 'getOpenApi',
        summary: 'Get the OpenAPI 3.1 document',
      }),
      schema: { response: { 200: z.looseObject({ openapi: z.string() }), 304: z.undefined() } },
    },
    async (request, reply) =>
      sendTagged(request, reply, { body: await description(), cacheControl: 'public, max-age=300' }),
  )
  return described
}
