import { z } from 'zod'
import { formatQuery, invalidFormat, protocolTypes } from '../../../http/documents/negotiation.ts'
import { sendProtocolDocument } from '../../../http/documents/send-with-etag.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { lazy } from '../../../kernel/lazy.ts'
import { type AsyncApiSettings, asyncApiDocument, dataSchemaOf } from './async-api.ts'
import { unknownEventType } from './errors.ts'
import { eventSchema, typesSchema } from './schemas.ts'
import type { SignalService } from './service.ts'

const SCHEMA_JSON = 'application/schema+json'
const MAX_AGE = 'public, max-age=300'

/** Routes that describe the types of events. */
export function typeRoutes(
  app: EepRoutes,
  { signals }: { readonly signals: SignalService },
  settings: Omit<AsyncApiSettings, 'types'>,
): void {
  const schemas = lazy(() => new Map(signals.types().map((each) => [each.fullType, dataSchemaOf(each)])))
  const list = lazy(() => {
    const items = signals.types().map(({ fullType, summary, audience }) => ({
      type: fullType,
      description: summary,
      audience,
      data_schema: schemas().get(fullType),
    }))
    return { items, total: items.length, page: 1, limit: items.length }
  })
  const document = lazy(() => asyncApiDocument({ ...settings, types: signals.types() }))
  const described = { auth: 'none', tag: 'streams' } as const

  app.get(
    '/eep/events/types',
    {
      config: routeConfig({
        ...described,
        operationId: 'listEventTypes',
        summary: 'List the types of events, each with the JSON Schema of its data',
        errors: [invalidFormat],
        produces: protocolTypes(),
      }),
      schema: { querystring: formatQuery, response: { 200: typesSchema, 304: z.undefined() } },
    },
    async (request, reply) =>
      sendProtocolDocument(request, reply, { title: 'Event types', body: list(), cacheControl: MAX_AGE }),
  )

  app.get(
    '/eep/events/types/:name',
    {
      config: routeConfig({
        ...described,
        operationId: 'getEventSchema',
        summary: 'Get the JSON Schema of the data of one type of events',
        produces: protocolTypes(SCHEMA_JSON),
        errors: [unknownEventType, invalidFormat],
      }),
      schema: {
        params: z.object({ name: z.string().max(160) }),
        querystring: formatQuery,
        response: { 200: eventSchema, 304: z.undefined() },
      },
    },
    async (request, reply) => {
      const { name } = request.params
      const found = signals.types().find(({ fullType, type }) => fullType === name || type === name)
      const body = found && schemas().get(found.fullType)
      if (!body) throw unknownEventType()
      return sendProtocolDocument(request, reply, {
        title: found.fullType,
        body,
        type: SCHEMA_JSON,
        cacheControl: MAX_AGE,
      })
    },
  )

  app.get(
    '/docs/asyncapi.json',
    {
      config: routeConfig({
        ...described,
        tag: 'discovery',
        operationId: 'getAsyncApi',
        summary: 'Get the description of streams and events (AsyncAPI 3)',
        errors: [invalidFormat],
        produces: protocolTypes(),
      }),
      schema: {
        querystring: formatQuery,
        response: { 200: z.looseObject({ asyncapi: z.string() }).meta({ id: 'AsyncApiDocument' }), 304: z.undefined() },
      },
    },
    async (request, reply) =>
      sendProtocolDocument(request, reply, { title: 'AsyncAPI document', body: document(), cacheControl: MAX_AGE }),
  )
}
