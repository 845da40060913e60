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

const versionTag = (version: number) => `"g${version}"`

/** The version in an `If-Match` header; undefined when any version will do. */
function wantedVersion(ifMatch: string | undefined): number | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  const version = /^"g(\d{1,9})"$/.exec(ifMatch.trim())?.[1]
  if (version === undefined) throw validationFailed({ message: 'If-Match is not an ETag of this configuration' })
  return Number(version)
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
      const { config, version } = await gates.getConfig(request.params.did, request.eep.caller)
      const etag = versionTag(version)
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
      const version = wantedVersion(request.headers['if-match'])
      const gate = await gates.putConfig(request.params.did, request.body, callerOf(request), version)
      reply.header('etag', versionTag(gate.version))
      return gate.config
    },
  )
}
