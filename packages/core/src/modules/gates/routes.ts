import { z } from 'zod'
import { matchesEtag } from '../../http/document.ts'
import { callerOf } from '../../http/request-context.ts'
import { type EepRoutes, facts } from '../../http/routes.ts'
import { notFound, validationFailed } from '../../kernel/errors.ts'
import type { ProfileService } from '../profiles/index.ts'
import { staleGate } from './errors.ts'
import { gateConfigSchema } from './gate-config.ts'
import type { GateService } from './service.ts'

const did = z.object({ did: z.string().min(1).max(512) })

/** The tag in an `If-Match` header; undefined when whatever stands may be replaced. */
function wantedTag(ifMatch: string | undefined): string | undefined {
  const tag = ifMatch?.trim()
  if (tag === undefined || tag === '*') return undefined
  if (!/^"[^"]{1,64}"$/.test(tag)) throw validationFailed({ message: 'If-Match is not an ETag of this configuration' })
  return tag
}

/** The gate configuration of an entity. */
export function gateRoutes(
  app: EepRoutes,
  { gates }: { readonly gates: GateService; readonly profiles: ProfileService },
): void {
  app.get(
    '/eep/gates/:did',
    {
      config: facts({
        auth: 'none',
        scope: 'read:gates',
        tag: 'gates',
        summary: 'The gate configuration of an entity',
        errors: [notFound],
      }),
      schema: { params: did, response: { 200: gateConfigSchema, 304: z.undefined() } },
    },
    async (request, reply) => {
      const { config, tag: etag } = await gates.getConfig(request.params.did, request.eep.caller)
      reply
        .header('etag', etag)
        .header('cache-control', 'private, max-age=60')
        .header('vary', 'Authorization, Cookie, X-API-Key')
      const known = request.headers['if-none-match']
      if (known !== undefined && matchesEtag(known, etag)) return reply.code(304).send()
      return config
    },
  )

  app.put(
    '/eep/gates/:did',
    {
      config: facts({
        auth: 'key',
        scope: 'write:gates',
        tag: 'gates',
        summary: 'Replaces the gate configuration of an entity; `If-Match` guards against overwriting',
        errors: [notFound, staleGate],
      }),
      schema: { params: did, body: gateConfigSchema, response: { 200: gateConfigSchema } },
    },
    async (request, reply) => {
      const ifTag = wantedTag(request.headers['if-match'])
      const { config, tag } = await gates.putConfig(request.params.did, request.body, callerOf(request), ifTag)
      reply.header('etag', tag)
      return config
    },
  )
}
