import { z } from 'zod'
import { formatQuery, invalidFormat, protocolTypes } from '../../../http/documents/negotiation.ts'
import { sendProtocolDocument } from '../../../http/documents/send-with-etag.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { lazy } from '../../../kernel/lazy.ts'
import { PREFIX_BY_TYPE, PROFILE_TYPES } from '../../../model/profile-type.ts'
import { jsonSchemaOf, schemaPath, type TypeData } from '../../../model/type-data/index.ts'

const tag = 'discovery'
const SCHEMA_JSON = 'application/schema+json'
const cacheControl = 'public, max-age=3600'

const list = z
  .object({
    schemas: z.array(z.object({ profile_type: z.enum(PROFILE_TYPES), prefix: z.string(), url: z.url() })),
  })
  .meta({ id: 'ProfileSchemaList' })

/** The schemas of the nine types are described as one operation. */
const family = { path: '/schemas/profiles/:type.json', params: z.object({ type: z.enum(PROFILE_TYPES) }) }

/** The JSON Schemas of `type_data`, each at a permanent address. */
export function schemaRoutes(app: EepRoutes, publicUrl: string, typeData: TypeData): void {
  const body = {
    schemas: PROFILE_TYPES.map((type) => ({
      profile_type: type,
      prefix: PREFIX_BY_TYPE[type],
      url: publicUrl + schemaPath(type),
    })),
  }

  app.get(
    '/schemas/profiles',
    {
      config: routeConfig({
        auth: 'none',
        tag,
        operationId: 'listProfileSchemas',
        summary: 'List the JSON Schemas of the profile types',
        errors: [invalidFormat],
        produces: protocolTypes(),
      }),
      schema: { querystring: formatQuery, response: { 200: list, 304: z.undefined() } },
    },
    async (request, reply) => sendProtocolDocument(request, reply, { title: 'Profile schemas', body, cacheControl }),
  )

  for (const type of PROFILE_TYPES) {
    const schema = lazy(() => Buffer.from(JSON.stringify(jsonSchemaOf(typeData, type, publicUrl))))
    app.get(
      schemaPath(type),
      {
        config: routeConfig({
          auth: 'none',
          tag,
          family,
          operationId: 'getProfileSchema',
          summary: 'Get the JSON Schema of the `type_data` of this type',
          errors: [invalidFormat],
          produces: protocolTypes(SCHEMA_JSON),
        }),
        schema: {
          querystring: formatQuery,
          response: { 200: z.looseObject({ title: z.string() }).meta({ id: 'ProfileSchema' }), 304: z.undefined() },
        },
      },
      async (request, reply) =>
        sendProtocolDocument(request, reply, {
          title: `Schema of the type ${type}`,
          body: schema(),
          type: SCHEMA_JSON,
          cacheControl,
        }),
    )
  }
}
