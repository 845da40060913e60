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
import { invalidSignature } from '../model/agent-signature.ts'
import { storageUnavailable } from '../ports/storage/storage.ts'
import { formatQuery, invalidFormat, protocolTypes } from './documents/negotiation.ts'
import { representationChanged } from './documents/public-document.ts'
import { sendProtocolDocument } from './documents/send-with-etag.ts'
import type { HttpEnvironment } from './environment.ts'
import { brandRoutes } from './html/brand.routes.ts'
import { pagesScriptRoute } from './html/script.routes.ts'
import {
  idempotencyAnswerGone,
  idempotencyInFlight,
  idempotencyMismatch,
  tooManyIdempotencyKeys,
} from './idempotency/replay-responses.ts'
import { metricsRoute } from './metrics.routes.ts'
import { type OpenApiDocument, openApiDocument } from './openapi/openapi.ts'
import type { RegisteredRoute } from './openapi/registered-route.ts'
import type { SharedErrors } from './openapi/responses.ts'
import { conflictingAgentDid } from './pipeline/agent-did.ts'
import { bodyTimeout } from './pipeline/body-timeout.ts'
import { malformedJson, payloadTooLarge, unsupportedMediaType } from './pipeline/error-handler.ts'
import { csrf } from './pipeline/identify.ts'
import { nestedTooDeeply } from './pipeline/json-body.ts'
import { versionNotSupported } from './pipeline/protocol-version.ts'
import { rateLimited } from './pipeline/rate-limit.ts'
import { type EepRoutes, routeConfig } from './routes.ts'
import { invalidUrl, malformedRequest, urlTooLong } from './server-options.ts'

const notReady = defineError('not_ready', 503, 'The service is not ready to serve requests')

const SHARED_ERRORS: SharedErrors = {
  every: [malformedRequest, conflictingAgentDid, rateLimited, internalError, storageUnavailable, versionNotSupported],
  authenticated: [unauthenticated, invalidApiKey, insufficientScope, forbidden, csrf],
  public: [csrf],
  withInput: [validationFailed],
  withBody: [malformedJson, nestedTooDeeply, bodyTimeout, payloadTooLarge, unsupportedMediaType],
  signed: [invalidSignature],
  conditional: [representationChanged],
  withPath: [notFound, invalidUrl, urlTooLong],
  idempotent: [
    validationFailed,
    idempotencyInFlight,
    idempotencyAnswerGone,
    idempotencyMismatch,
    tooManyIdempotencyKeys,
  ],
}

const health = z.object({ status: z.literal('ok'), ok: z.literal(true) }).meta({ id: 'Health' })
const degradedHealth = z
  .object({
    status: z.literal('degraded'),
    degraded: z
      .record(z.string(), z.literal('unavailable'))
      .describe(
        'The unavailable parts: blobs, billing, mail, search, embedder, the id of a rail, or a check of a module of the host',
      ),
  })
  .meta({ id: 'DegradedHealth' })
const readiness = z.union([health, degradedHealth]).meta({ id: 'Readiness' })
const ALIVE = { status: 'ok', ok: true } as const

/** Checks that the process is alive, and that it can serve requests. */
export function healthRoutes(app: EepRoutes, environment: Pick<HttpEnvironment, 'readiness'>): void {
  const probe = { auth: 'none', limit: 'exempt', tag: 'system' } as const

  for (const [path, operationId] of [
    ['/health/live', 'getLiveness'],
    ['/health', 'getHealth'],
    ['/healthz', 'getHealthz'],
  ] as const) {
    app.get(
      path,
      {
        config: routeConfig({
          ...probe,
          operationId,
          summary: 'Check that the process is alive',
          aliasOf: operationId === 'getLiveness' ? undefined : 'getLiveness',
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
      schema: { response: { 200: readiness } },
    },
    async (_request, reply) => {
      const readiness = await environment.readiness()
      reply.header('cache-control', 'no-store')
      if (readiness.status === 'not_ready') {
        throw notReady({ details: readiness.reasons, retryAfterMs: 2_000 })
      }
      return readiness.status === 'ready' ? ALIVE : readiness
    },
  )
}

/** The script of pages, the metrics and the OpenAPI document. Returns the function that creates the document at its first call. */
export function systemRoutes(
  app: EepRoutes,
  environment: HttpEnvironment,
  described: () => readonly RegisteredRoute[],
): () => Promise<OpenApiDocument> {
  pagesScriptRoute(app)
  brandRoutes(app, environment)
  if (environment.metricsAccess) metricsRoute(app, environment.metricsAccess)
  const document = lazy(async () => {
    const { name: title, description, publicUrl, cookies, authenticators } = environment
    const info = {
      title,
      description,
      serverUrl: publicUrl + app.prefix,
      sessionCookie: cookies.names.session,
      flow: authenticators.apps?.flow,
    }
    const authenticated = [...SHARED_ERRORS.authenticated, ...environment.hostUserErrors]
    const routes = [...described(), ...environment.hostRoutes()]
    return openApiDocument(routes, info, { ...SHARED_ERRORS, authenticated })
  })
  const description = lazy(async () => {
    const made = await document()
    await setImmediate()
    return Buffer.from(JSON.stringify(made))
  })
  app.get(
    '/docs/openapi.json',
    {
      config: routeConfig({
        auth: 'none',
        tag: 'discovery',
        operationId: 'getOpenApi',
        summary: 'Get the OpenAPI 3.1 document',
        errors: [invalidFormat],
        produces: protocolTypes(),
      }),
      schema: {
        querystring: formatQuery,
        response: { 200: z.looseObject({ openapi: z.string() }).meta({ id: 'OpenApiDocument' }), 304: z.undefined() },
      },
    },
    async (request, reply) =>
      sendProtocolDocument(request, reply, {
        title: 'OpenAPI document',
        body: await description(),
        cacheControl: 'public, max-age=300',
      }),
  )
  return document
}
